CREATE EXTENSION IF NOT EXISTS pg_trgm WITH SCHEMA public;
CREATE TABLE public.attempts (
    reference text NOT NULL,
    receiver text NOT NULL,
    number integer NOT NULL,
    ended_at text NOT NULL,
    state text NOT NULL,
    reason text DEFAULT ''::text NOT NULL
);
CREATE TABLE public.audit (
    hash text NOT NULL,
    action text NOT NULL,
    done_at text NOT NULL,
    counts text NOT NULL
);
CREATE TABLE public.audit_links (
    hash text NOT NULL,
    report text NOT NULL,
    created_at text NOT NULL,
    expires_at text NOT NULL
);
CREATE TABLE public.audit_reports (
    id text NOT NULL,
    domain text NOT NULL,
    measured_at text NOT NULL,
    report text NOT NULL
);
CREATE TABLE public.consent_texts (
    id text NOT NULL,
    text text NOT NULL,
    first_used_at text NOT NULL
);
CREATE TABLE public.deliveries (
    reference text NOT NULL,
    receiver text NOT NULL,
    kind text NOT NULL,
    payload text,
    state text DEFAULT 'waiting'::text NOT NULL,
    created_at text NOT NULL,
    due_at text NOT NULL,
    attempts integer DEFAULT 0 NOT NULL,
    lease text,
    lease_until text,
    is_ambiguous integer DEFAULT 0 NOT NULL,
    is_possible_duplicate integer DEFAULT 0 NOT NULL,
    last_failure text DEFAULT ''::text NOT NULL,
    settled_at text,
    subscriber text,
    issue text,
    mailbox text,
    network text,
    CONSTRAINT deliveries_kind_check CHECK ((kind = ANY (ARRAY['message'::text, 'notice'::text, 'confirmation'::text, 'issue'::text]))),
    CONSTRAINT deliveries_state_check CHECK ((state = ANY (ARRAY['waiting'::text, 'sending'::text, 'delivered'::text, 'failed'::text, 'held'::text, 'unconfirmed'::text, 'cancelled'::text])))
);
CREATE TABLE public.messages (
    reference text NOT NULL,
    received_at text NOT NULL,
    state text NOT NULL,
    name text NOT NULL,
    email text NOT NULL,
    message text NOT NULL,
    service text NOT NULL,
    idempotency_key text,
    quarantine_reason text DEFAULT ''::text NOT NULL,
    answered_at text,
    closed_at text,
    audit_report text,
    CONSTRAINT messages_state_check CHECK ((state = ANY (ARRAY['new'::text, 'answered'::text, 'closed'::text, 'empty'::text, 'quarantined'::text, 'spam'::text])))
);
CREATE TABLE public.migrations (
    name text NOT NULL,
    applied_at text NOT NULL
);
CREATE TABLE public.newsletter_issues (
    reference text NOT NULL,
    name text NOT NULL,
    hash text NOT NULL,
    subject text NOT NULL,
    html text NOT NULL,
    text text NOT NULL,
    queued_at text NOT NULL,
    held_at text
);
CREATE TABLE public.notes (
    reference text NOT NULL,
    created_at text NOT NULL,
    text text NOT NULL
);
CREATE UNLOGGED TABLE public.rate_counts (
    client text NOT NULL,
    count integer NOT NULL,
    resets_at text NOT NULL
);
CREATE TABLE public.readiness (
    id integer NOT NULL,
    checks integer NOT NULL
);
CREATE TABLE public.receivers (
    name text NOT NULL,
    paused_at text,
    pause_reason text DEFAULT ''::text NOT NULL,
    refusals integer DEFAULT 0 NOT NULL,
    failing_at text,
    failure_reason text DEFAULT ''::text NOT NULL,
    probed_at text
);
CREATE TABLE public.scheduled_runs (
    name text NOT NULL,
    done_at text NOT NULL
);
CREATE TABLE public.search_texts (
    reference text NOT NULL,
    text text NOT NULL
);
ALTER TABLE ONLY public.search_texts ALTER COLUMN text SET STATISTICS 0;
CREATE TABLE public.secrets (
    name text NOT NULL,
    value text NOT NULL,
    created_at text NOT NULL
);
CREATE TABLE public.sign_ups (
    id text NOT NULL,
    subscriber text NOT NULL,
    address text NOT NULL,
    form text NOT NULL,
    consent_text text NOT NULL,
    requested_at text NOT NULL,
    network text DEFAULT 'unknown'::text NOT NULL
);
CREATE TABLE public.subscribers (
    id text NOT NULL,
    address text,
    state text NOT NULL,
    request_form text DEFAULT ''::text NOT NULL,
    request_consent_text text DEFAULT ''::text NOT NULL,
    requested_at text,
    form text DEFAULT ''::text NOT NULL,
    consent_text text DEFAULT ''::text NOT NULL,
    consent_requested_at text,
    mailed_at text,
    confirmed_at text,
    unsubscribed_at text,
    suppressed_at text,
    suppression_reason text DEFAULT ''::text NOT NULL,
    CONSTRAINT subscribers_address CHECK (((address IS NOT NULL) OR (state = ANY (ARRAY['unsubscribed'::text, 'suppressed'::text])))),
    CONSTRAINT subscribers_state_check CHECK ((state = ANY (ARRAY['pending'::text, 'confirmed'::text, 'unsubscribed'::text, 'suppressed'::text]))),
    CONSTRAINT subscribers_suppressed_why_check CHECK ((suppression_reason = ANY (ARRAY[''::text, 'bounce'::text, 'complaint'::text, 'owner'::text, 'erased'::text])))
);
CREATE UNLOGGED TABLE public.throttles (
    receiver text NOT NULL,
    used_until text NOT NULL
);
CREATE TABLE public.tokens (
    hash text NOT NULL,
    subscriber text NOT NULL,
    expires_at text NOT NULL
);
INSERT INTO public.attempts VALUES ('TSJWP-KJHV2', 'sheet', 1, '2026-11-19T20:46:03.813Z', 'delivered', '');
INSERT INTO public.attempts VALUES ('TSJWP-KJHV2', 'webhook', 1, '2026-11-19T20:46:03.886Z', 'waiting', 'port is one that HTTP may not use');
INSERT INTO public.attempts VALUES ('TSJWP-KJHV2', 'mail', 1, '2026-11-19T20:46:03.925Z', 'delivered', '');
INSERT INTO public.attempts VALUES ('YSVBJ-M4H8J', 'mail', 1, '2026-11-19T20:46:04.847Z', 'delivered', '');
INSERT INTO public.attempts VALUES ('YSVBJ-M4H8J', 'webhook', 1, '2026-11-19T20:46:04.859Z', 'waiting', 'port is one that HTTP may not use');
INSERT INTO public.attempts VALUES ('YSVBJ-M4H8J', 'sheet', 1, '2026-11-19T20:46:04.944Z', 'delivered', '');
INSERT INTO public.attempts VALUES ('YSVBJ-M4H8J', 'webhook', 2, '2026-11-19T20:46:10.099Z', 'waiting', 'port is one that HTTP may not use');
INSERT INTO public.attempts VALUES ('TSJWP-KJHV2', 'webhook', 2, '2026-11-19T20:46:10.226Z', 'waiting', 'port is one that HTTP may not use');
INSERT INTO public.audit VALUES ('EehrCiZIZDe5ExMPT_LgmZ-yEBsF3jZU6kZrPI1i2uM', 'erase', '2026-11-19T20:46:25.927Z', '{"messages":1,"mentions":0,"newsletter":0,"rows":1,"mails":1}');
INSERT INTO public.audit VALUES ('-hH_q9ATjw2nkBehw2G9vPQiREgZffz2sHoXQdTTZSE', 'erase-message', '2026-11-19T20:46:25.927Z', '{}');
INSERT INTO public.audit_links VALUES ('h1', 'r1', '2026-11-19T20:46:06.120Z', '2027-01-01T00:00:00.000Z');
INSERT INTO public.audit_reports VALUES ('r1', 'example.org', '2026-11-19T20:46:06.120Z', '{}');
INSERT INTO public.consent_texts VALUES ('3683c81828537e33', 'Imported by the owner. Consent is given by the button that the confirmation letter leads to.', '2026-11-19T20:46:04.768Z');
INSERT INTO public.consent_texts VALUES ('9178b79c4323d86f', 'Security notes for business, at most once a month, sent only after you have confirmed your address. Unsubscribe in one click. Not for people under 16.', '2026-11-19T20:46:04.768Z');
INSERT INTO public.consent_texts VALUES ('995f5056be054418', 'Sent at most once a month, and only after you have confirmed your address. Unsubscribe in one click. Not for people under 16.', '2026-11-19T20:46:04.768Z');
INSERT INTO public.deliveries VALUES ('TSJWP-KJHV2', 'sheet', 'message', NULL, 'delivered', '2026-11-19T20:46:03.566Z', '2026-11-19T20:46:03.566Z', 1, NULL, NULL, 0, 0, '', '2026-11-19T20:46:03.813Z', NULL, NULL, NULL, NULL);
INSERT INTO public.deliveries VALUES ('TSJWP-KJHV2', 'mail', 'message', NULL, 'delivered', '2026-11-19T20:46:03.566Z', '2026-11-19T20:46:03.566Z', 1, NULL, NULL, 0, 0, '', '2026-11-19T20:46:03.925Z', NULL, NULL, NULL, NULL);
INSERT INTO public.deliveries VALUES ('2S3DZ-AGWC7', 'mail', 'message', NULL, 'delivered', '2026-11-19T20:46:03.698Z', '2026-11-19T20:46:03.698Z', 1, NULL, NULL, 0, 0, '', '2026-11-19T20:46:03.958Z', NULL, NULL, NULL, NULL);
INSERT INTO public.deliveries VALUES ('2S3DZ-AGWC7', 'sheet', 'message', NULL, 'delivered', '2026-11-19T20:46:03.698Z', '2026-11-19T20:46:03.698Z', 1, NULL, NULL, 0, 0, '', '2026-11-19T20:46:04.815Z', NULL, NULL, NULL, NULL);
INSERT INTO public.deliveries VALUES ('YSVBJ-M4H8J', 'mail', 'message', NULL, 'delivered', '2026-11-19T20:46:03.854Z', '2026-11-19T20:46:03.854Z', 1, NULL, NULL, 0, 0, '', '2026-11-19T20:46:04.847Z', NULL, NULL, NULL, NULL);
INSERT INTO public.deliveries VALUES ('9RDBN-6KG6C', 'mail', 'message', NULL, 'delivered', '2026-11-19T20:46:03.752Z', '2026-11-19T20:46:03.752Z', 1, NULL, NULL, 0, 0, '', '2026-11-19T20:46:04.844Z', NULL, NULL, NULL, NULL);
INSERT INTO public.deliveries VALUES ('9RDBN-6KG6C', 'sheet', 'message', NULL, 'delivered', '2026-11-19T20:46:03.752Z', '2026-11-19T20:46:03.752Z', 1, NULL, NULL, 0, 0, '', '2026-11-19T20:46:04.845Z', NULL, NULL, NULL, NULL);
INSERT INTO public.deliveries VALUES ('MC4TQ-5T5RK', 'mail', 'message', NULL, 'delivered', '2026-11-19T20:46:03.934Z', '2026-11-19T20:46:03.934Z', 1, NULL, NULL, 0, 0, '', '2026-11-19T20:46:04.932Z', NULL, NULL, NULL, NULL);
INSERT INTO public.deliveries VALUES ('NQZXM-NS994', 'confirmations', 'confirmation', NULL, 'cancelled', '2026-11-19T20:46:04.791Z', '2026-11-19T20:46:04.791Z', 0, NULL, NULL, 0, 0, 'no longer wanted', '2026-11-19T20:46:04.932Z', '8gbmeNZB94dpz1MzNP1HdPIQHhcoowR1m4br-i9c5NE', NULL, 'Gd0L3xhsFMw37fwpy1Qco--7GPyXAR5AAjxgN7433Jo', 'unknown');
INSERT INTO public.deliveries VALUES ('YSVBJ-M4H8J', 'sheet', 'message', NULL, 'delivered', '2026-11-19T20:46:03.854Z', '2026-11-19T20:46:03.854Z', 1, NULL, NULL, 0, 0, '', '2026-11-19T20:46:04.944Z', NULL, NULL, NULL, NULL);
INSERT INTO public.deliveries VALUES ('E3P46-P0ESW', 'confirmations', 'confirmation', NULL, 'cancelled', '2026-11-19T20:46:04.982Z', '2026-11-19T20:46:04.982Z', 0, NULL, NULL, 0, 0, 'no longer wanted', '2026-11-19T20:46:05.125Z', '0lJNkF4PMqZhYKuTkUT_b5VtaceSBJdBy3KD6tgkuUU', NULL, 'cTXEuSoThFTyvsJS9l_Kz7e_Q7_D4WiCTzfvR8We24Y', 'unknown');
INSERT INTO public.deliveries VALUES ('MC4TQ-5T5RK', 'sheet', 'message', NULL, 'delivered', '2026-11-19T20:46:03.934Z', '2026-11-19T20:46:03.934Z', 1, NULL, NULL, 0, 0, '', '2026-11-19T20:46:05.156Z', NULL, NULL, NULL, NULL);
INSERT INTO public.deliveries VALUES ('5HSG5-Y702E', 'confirmations', 'confirmation', NULL, 'cancelled', '2026-11-19T20:46:05.177Z', '2026-11-19T20:46:05.177Z', 0, NULL, NULL, 0, 0, 'no longer wanted', '2026-11-19T20:46:05.287Z', 'B1BhloA45g5yRX6wF2iouVuc_qxqG_dazL-eS8ViC-U', NULL, 'cBARWCwM6TGz1PeRCobt83_4lJj3a3ydW41GwGPt2uo', 'unknown');
INSERT INTO public.deliveries VALUES ('XGH19-BK36C', 'confirmations', 'confirmation', NULL, 'cancelled', '2026-11-19T20:46:05.372Z', '2026-11-19T20:46:05.372Z', 0, NULL, NULL, 0, 0, 'no longer wanted', '2026-11-19T20:46:05.486Z', 'ge3gKyOhHa-NC8khZg9thRDSWMClPEPLKK2Gs7nLvo4', NULL, 'Fu2GmsKCKP0c9J-lfTjUZgR-ZHqnPeDmzPzzjXupb3Y', 'unknown');
INSERT INTO public.deliveries VALUES ('WBDAT-FF9Q0', 'confirmations', 'confirmation', NULL, 'cancelled', '2026-11-19T20:46:05.546Z', '2026-11-19T20:46:05.546Z', 0, NULL, NULL, 0, 0, 'no longer wanted', '2026-11-19T20:46:05.695Z', 'Rb0ek6-ebgkS1upVt1CrfFsrXPPe_6qVi_3fH3tA06Y', NULL, 'oiOFVK5chgh_HpETPTegOpg3t4DuoOhppzPi1Y2ytMU', 'unknown');
INSERT INTO public.deliveries VALUES ('Q8NW0-7D436', 'confirmations', 'confirmation', NULL, 'delivered', '2026-11-19T20:46:06.002Z', '2026-11-19T20:46:06.002Z', 1, NULL, NULL, 0, 0, '', '2026-11-19T20:46:06.261Z', 'FPfgahebfsadY3GnXQiDbSpO7_XvrUAUBI8SBUOkww0', NULL, 'G7sj1gRvnxCf7PwUvXeKg-3ESsH40h4TNp_i6AcBFjQ', 'unknown');
INSERT INTO public.deliveries VALUES ('Q790S-AWE19', 'confirmations', 'confirmation', NULL, 'delivered', '2026-11-19T20:46:06.894Z', '2026-11-19T20:46:06.894Z', 1, NULL, NULL, 0, 0, '', '2026-11-19T20:46:07.031Z', '-qaPK0DpY2-NKpbcLkFzjw5NIxX9Mqn-BrdDq5SMJxA', NULL, 'AOUDRyGkwqGgOBoZair35vivDWJ5u6w0O3O1XnYBq8w', 'unknown');
INSERT INTO public.deliveries VALUES ('9RDBN-6KG6C', 'webhook', 'message', NULL, 'waiting', '2026-11-19T20:46:03.752Z', '2026-11-19T20:50:13.412Z', 2, NULL, NULL, 0, 0, 'port is one that HTTP may not use', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.deliveries VALUES ('TSJWP-KJHV2', 'webhook', 'message', NULL, 'waiting', '2026-11-19T20:46:03.566Z', '2026-11-19T20:50:47.175Z', 2, NULL, NULL, 0, 0, 'port is one that HTTP may not use', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.deliveries VALUES ('MC4TQ-5T5RK', 'webhook', 'message', NULL, 'waiting', '2026-11-19T20:46:03.934Z', '2026-11-19T20:51:54.354Z', 2, NULL, NULL, 0, 0, 'port is one that HTTP may not use', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.deliveries VALUES ('2S3DZ-AGWC7', 'webhook', 'message', NULL, 'waiting', '2026-11-19T20:46:03.698Z', '2026-11-19T20:50:42.541Z', 2, NULL, NULL, 0, 0, 'port is one that HTTP may not use', NULL, NULL, NULL, NULL, NULL);
INSERT INTO public.deliveries VALUES ('YSVBJ-M4H8J', 'webhook', 'message', NULL, 'cancelled', '2026-11-19T20:46:03.854Z', '2026-11-19T20:51:17.704Z', 2, NULL, NULL, 0, 0, 'marked as spam', '2026-11-19T20:46:16.773Z', NULL, NULL, NULL, NULL);
INSERT INTO public.deliveries VALUES ('R95Z7-KCV2B-8gbmeNZB94dpz1MzNP1HdPIQHhcoowR1m4br-i9c5NE', 'newsletter', 'issue', NULL, 'delivered', '2026-11-19T20:46:18.940Z', '2026-11-19T20:46:18.940Z', 1, NULL, NULL, 0, 0, '', '2026-11-19T20:46:22.057Z', '8gbmeNZB94dpz1MzNP1HdPIQHhcoowR1m4br-i9c5NE', 'R95Z7-KCV2B', NULL, NULL);
INSERT INTO public.messages VALUES ('2S3DZ-AGWC7', '2026-11-19T20:46:03.698Z', 'new', 'Bob', 'bob@example.com', 'Please write to zoe@example.com.', '', 'r8jKVCOTeWTmp_A7gYcKa6kGsfCSvp4e4p_60J0ObGI', '', NULL, NULL, NULL);
INSERT INTO public.messages VALUES ('9RDBN-6KG6C', '2026-11-19T20:46:03.752Z', 'new', 'Jörg MÜLLER', 'joerg@example.com', 'Rhabarber
für alle 𝒳𝒴𝒵 中文字符', '', 'luq33XAAh0S_5C_h-dLDrFw03F_--JZBQjCJPQ5DVKU', '', NULL, NULL, NULL);
INSERT INTO public.messages VALUES ('ABCAG-JDVPR', '2026-11-19T20:46:03.876Z', 'empty', '', '', ' ', '', '_6ro64Ck79ND-VTCpjCg_cXNny6UOttYm_-yFLiBFmA', '', NULL, NULL, NULL);
INSERT INTO public.messages VALUES ('TSJWP-KJHV2', '2026-11-19T20:46:03.566Z', 'answered', 'Zoë Crème', 'zoe@example.com', 'A 100% sure_thing, "quoted" \ text.', 'Penetration Testing', '4bYo8FywVbVUb677BzU9yMlMOpWz4Bcr_Kg-Z_PiwKA', '', '2026-11-19T20:46:14.914Z', NULL, NULL);
INSERT INTO public.messages VALUES ('MC4TQ-5T5RK', '2026-11-19T20:46:03.934Z', 'closed', 'Cy', 'cy@example.com', 'Thank you.', '', '60uHnDcDa7qzPtxC4z981XY47_5ANZQdXGgibS6oxlE', '', NULL, '2026-11-19T20:46:16.067Z', NULL);
INSERT INTO public.messages VALUES ('YSVBJ-M4H8J', '2026-11-19T20:46:03.854Z', 'spam', 'Spammer', 'spam@example.com', 'BUY NOW http://a.example http://b.example http://c.example http://d.example', '', '7x8xDCdoZMAiTQWuMK5bjrfRaDJK0V4dzJF_fgp1ZdM', '', NULL, NULL, NULL);
INSERT INTO public.migrations VALUES ('001-messages', '2026-11-19T20:45:59.229Z');
INSERT INTO public.migrations VALUES ('002-outbox', '2026-11-19T20:45:59.655Z');
INSERT INTO public.migrations VALUES ('003-newsletter', '2026-11-19T20:46:00.685Z');
INSERT INTO public.migrations VALUES ('004-desk', '2026-11-19T20:46:00.889Z');
INSERT INTO public.migrations VALUES ('005-views', '2026-11-19T20:46:00.895Z');
INSERT INTO public.migrations VALUES ('007-hashed-keys', '2026-11-19T20:46:00.905Z');
INSERT INTO public.migrations VALUES ('008-newsletter-networks', '2026-11-19T20:46:00.977Z');
INSERT INTO public.migrations VALUES ('010-refusals', '2026-11-19T20:46:01.081Z');
INSERT INTO public.migrations VALUES ('011-drop-views', '2026-11-19T20:46:01.094Z');
INSERT INTO public.migrations VALUES ('012-import-network', '2026-11-19T20:46:01.179Z');
INSERT INTO public.migrations VALUES ('013-honeypot-reasons', '2026-11-19T20:46:01.191Z');
INSERT INTO public.migrations VALUES ('014-usual-names', '2026-11-19T20:46:01.482Z');
INSERT INTO public.migrations VALUES ('015-failed-state', '2026-11-19T20:46:01.551Z');
INSERT INTO public.migrations VALUES ('016-message-states', '2026-11-19T20:46:01.655Z');
INSERT INTO public.migrations VALUES ('017-column-names', '2026-11-19T20:46:01.731Z');
INSERT INTO public.migrations VALUES ('018-audits', '2026-11-19T20:46:01.942Z');
INSERT INTO public.migrations VALUES ('019-search-texts', '2026-11-19T20:46:02.077Z');
INSERT INTO public.newsletter_issues VALUES ('R95Z7-KCV2B', '2026-03-march', 'cedd71b9193ee2e177d2af894115ddce0ca8e0b013eece0858de44f2c3a82d82', 'Three things', '<!doctype html>
<title>Three things</title>
<p>What is new.</p>
<p><a href="{{leave}}">Unsubscribe</a></p>
', 'Three things

What is new.

Unsubscribe: {{leave}}
', '2026-11-19T20:46:18.940Z', NULL);
INSERT INTO public.notes VALUES ('TSJWP-KJHV2', '2026-11-19T20:46:13.384Z', 'Called: crème brûlée');
INSERT INTO public.rate_counts VALUES ('uD3mFmwbj0q1B9rk5PpAYxTryOuBMTNRhBnUxEs_rzo', 7, '2026-11-19T20:56:03.069Z');
INSERT INTO public.rate_counts VALUES ('VMnsvzxS_F2K-of1Dz00CfaVCiVQ1O-mdCoTy9VJcbI', 363, '2026-11-19T21:46:03.361Z');
INSERT INTO public.rate_counts VALUES ('jxenxg7ULZxIjpkPQJAxiBSGRLknJ3fDKTAEzYa1o-g', 1, '2026-11-19T20:56:06.087Z');
INSERT INTO public.scheduled_runs VALUES ('newsletter-purge', '2026-11-19T20:46:03.224Z');
INSERT INTO public.scheduled_runs VALUES ('retention', '2026-11-19T20:46:03.230Z');
INSERT INTO public.scheduled_runs VALUES ('backup', '2026-11-19T20:46:26.904Z');
INSERT INTO public.scheduled_runs VALUES ('worker', '2026-11-19T20:46:42.838Z');
INSERT INTO public.search_texts VALUES ('TSJWP-KJHV2', 'tsjwp-kjhv2
zoe creme
zoe@example.com
a 100% sure_thing, "quoted" \ text.
penetration testing
called: creme brulee');
INSERT INTO public.search_texts VALUES ('2S3DZ-AGWC7', '2s3dz-agwc7
bob
bob@example.com
please write to zoe@example.com.
');
INSERT INTO public.search_texts VALUES ('9RDBN-6KG6C', '9rdbn-6kg6c
jorg muller
joerg@example.com
rhabarber
fur alle xyz 中文字符
');
INSERT INTO public.search_texts VALUES ('YSVBJ-M4H8J', 'ysvbj-m4h8j
spammer
spam@example.com
buy now http://a.example http://b.example http://c.example http://d.example
');
INSERT INTO public.search_texts VALUES ('ABCAG-JDVPR', 'abcag-jdvpr
 
');
INSERT INTO public.search_texts VALUES ('MC4TQ-5T5RK', 'mc4tq-5t5rk
cy
cy@example.com
thank you.
');
INSERT INTO public.secrets VALUES ('site', 'bEB9joZK605NBEDVwOBHPzjtbBeiGUly1TBNnPsKrwA', '2026-11-19T20:46:02.608Z');
INSERT INTO public.secrets VALUES ('newsletter', 'KOjKpCrphqcW4Mm2ULLDyz1uuCm_0iqN98Hd9j_mZKc', '2026-11-19T20:46:02.633Z');
INSERT INTO public.subscribers VALUES ('8gbmeNZB94dpz1MzNP1HdPIQHhcoowR1m4br-i9c5NE', 'confirmed@example.com', 'confirmed', '', '', NULL, 'home', '995f5056be054418', '2026-11-19T20:46:04.781Z', '2026-11-19T20:46:04.791Z', '2026-11-19T20:46:04.932Z', NULL, NULL, '');
INSERT INTO public.subscribers VALUES ('0lJNkF4PMqZhYKuTkUT_b5VtaceSBJdBy3KD6tgkuUU', 'left@example.com', 'unsubscribed', '', '', NULL, 'home', '995f5056be054418', '2026-11-19T20:46:04.955Z', '2026-11-19T20:46:04.982Z', '2026-11-19T20:46:05.125Z', '2026-11-19T20:46:05.155Z', NULL, '');
INSERT INTO public.subscribers VALUES ('B1BhloA45g5yRX6wF2iouVuc_qxqG_dazL-eS8ViC-U', 'bounces@example.com', 'suppressed', '', '', NULL, 'home', '995f5056be054418', '2026-11-19T20:46:05.175Z', '2026-11-19T20:46:05.177Z', '2026-11-19T20:46:05.287Z', NULL, '2026-11-19T20:46:05.345Z', 'bounce');
INSERT INTO public.subscribers VALUES ('ge3gKyOhHa-NC8khZg9thRDSWMClPEPLKK2Gs7nLvo4', 'complains@example.com', 'suppressed', '', '', NULL, 'home', '995f5056be054418', '2026-11-19T20:46:05.364Z', '2026-11-19T20:46:05.372Z', '2026-11-19T20:46:05.486Z', NULL, '2026-11-19T20:46:05.515Z', 'complaint');
INSERT INTO public.subscribers VALUES ('Rb0ek6-ebgkS1upVt1CrfFsrXPPe_6qVi_3fH3tA06Y', 'owner@example.com', 'suppressed', '', '', NULL, 'home', '995f5056be054418', '2026-11-19T20:46:05.521Z', '2026-11-19T20:46:05.546Z', '2026-11-19T20:46:05.695Z', NULL, '2026-11-19T20:46:05.741Z', 'owner');
INSERT INTO public.subscribers VALUES ('cIjCDzl-r4tzcLu7Nn04aKCH-UyBgFT4TSwJnBXFzGM', NULL, 'suppressed', '', '', NULL, '', '', NULL, NULL, NULL, NULL, '2026-11-19T20:46:05.959Z', 'erased');
INSERT INTO public.subscribers VALUES ('FPfgahebfsadY3GnXQiDbSpO7_XvrUAUBI8SBUOkww0', 'pending@example.com', 'pending', 'home', '995f5056be054418', '2026-11-19T20:46:05.980Z', '', '', NULL, '2026-11-19T20:46:06.002Z', NULL, NULL, NULL, '');
INSERT INTO public.subscribers VALUES ('-qaPK0DpY2-NKpbcLkFzjw5NIxX9Mqn-BrdDq5SMJxA', 'new@example.com', 'pending', 'home', '995f5056be054418', '2026-11-19T20:46:06.105Z', '', '', NULL, '2026-11-19T20:46:06.894Z', NULL, NULL, NULL, '');
INSERT INTO public.throttles VALUES ('mail', '2026-11-19T20:46:05.586Z');
INSERT INTO public.throttles VALUES ('sheet', '2026-11-19T20:46:05.120Z');
INSERT INTO public.throttles VALUES ('confirmations', '2026-11-19T20:46:07.209Z');
INSERT INTO public.throttles VALUES ('webhook', '2026-11-19T20:46:10.775Z');
INSERT INTO public.throttles VALUES ('newsletter', '2026-11-19T20:46:22.242Z');
INSERT INTO public.tokens VALUES ('kept', 'FPfgahebfsadY3GnXQiDbSpO7_XvrUAUBI8SBUOkww0', '2027-01-01T00:00:00.000Z');
INSERT INTO public.tokens VALUES ('Qw1cUbtHCpfccgN8txwVmiXE2gcuoWQUpFdbb5me1MY', 'FPfgahebfsadY3GnXQiDbSpO7_XvrUAUBI8SBUOkww0', '2026-11-26T20:46:06.223Z');
INSERT INTO public.tokens VALUES ('90pZHtqWzNFmOXvhOh00iaBudjj0se5vKCthoN1sZCE', '-qaPK0DpY2-NKpbcLkFzjw5NIxX9Mqn-BrdDq5SMJxA', '2026-11-26T20:46:07.019Z');
ALTER TABLE ONLY public.attempts ADD CONSTRAINT attempts_key PRIMARY KEY (reference, receiver, number);
ALTER TABLE ONLY public.audit ADD CONSTRAINT audit_key PRIMARY KEY (hash, action, done_at);
ALTER TABLE ONLY public.audit_links ADD CONSTRAINT audit_links_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.audit_reports ADD CONSTRAINT audit_reports_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.scheduled_runs ADD CONSTRAINT chores_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.deliveries ADD CONSTRAINT deliveries_key PRIMARY KEY (reference, receiver);
ALTER TABLE ONLY public.newsletter_issues ADD CONSTRAINT issues_name_key UNIQUE (name);
ALTER TABLE ONLY public.newsletter_issues ADD CONSTRAINT issues_pkey PRIMARY KEY (reference);
ALTER TABLE ONLY public.messages ADD CONSTRAINT messages_pkey PRIMARY KEY (reference);
ALTER TABLE ONLY public.migrations ADD CONSTRAINT migrations_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.notes ADD CONSTRAINT notes_key PRIMARY KEY (reference, created_at);
ALTER TABLE ONLY public.rate_counts ADD CONSTRAINT rate_counts_pkey PRIMARY KEY (client);
ALTER TABLE ONLY public.readiness ADD CONSTRAINT readiness_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.receivers ADD CONSTRAINT receivers_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.search_texts ADD CONSTRAINT search_texts_pkey PRIMARY KEY (reference);
ALTER TABLE ONLY public.secrets ADD CONSTRAINT secrets_pkey PRIMARY KEY (name);
ALTER TABLE ONLY public.sign_ups ADD CONSTRAINT sign_ups_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.subscribers ADD CONSTRAINT subscribers_pkey PRIMARY KEY (id);
ALTER TABLE ONLY public.throttles ADD CONSTRAINT throttles_pkey PRIMARY KEY (receiver);
ALTER TABLE ONLY public.tokens ADD CONSTRAINT tokens_pkey PRIMARY KEY (hash);
ALTER TABLE ONLY public.consent_texts ADD CONSTRAINT wordings_pkey PRIMARY KEY (id);
CREATE INDEX audit_links_expires_at ON public.audit_links USING btree (expires_at);
CREATE INDEX audit_links_report ON public.audit_links USING btree (report);
CREATE INDEX audit_reports_domain ON public.audit_reports USING btree (domain, measured_at);
CREATE INDEX deliveries_confirmations ON public.deliveries USING btree (created_at) WHERE (kind = 'confirmation'::text);
CREATE INDEX deliveries_due ON public.deliveries USING btree (receiver, state, due_at);
CREATE INDEX deliveries_issue ON public.deliveries USING btree (issue, state) WHERE (issue IS NOT NULL);
CREATE INDEX deliveries_mailbox ON public.deliveries USING btree (mailbox) WHERE (mailbox IS NOT NULL);
CREATE INDEX deliveries_newest ON public.deliveries USING btree (created_at DESC, reference);
CREATE INDEX deliveries_notices ON public.deliveries USING btree (reference) WHERE (kind = 'notice'::text);
CREATE INDEX deliveries_subscriber ON public.deliveries USING btree (subscriber) WHERE (subscriber IS NOT NULL);
CREATE INDEX deliveries_tried ON public.deliveries USING btree (receiver, state, due_at) WHERE ((state = 'waiting'::text) AND (attempts > 0));
CREATE UNIQUE INDEX messages_idempotency_key ON public.messages USING btree (idempotency_key);
CREATE INDEX messages_received ON public.messages USING btree (received_at, reference);
CREATE INDEX messages_state ON public.messages USING btree (state, received_at, reference);
CREATE INDEX search_texts_trigrams ON public.search_texts USING gin (text public.gin_trgm_ops);
CREATE INDEX sign_ups_requested_at ON public.sign_ups USING btree (requested_at, id);
CREATE INDEX sign_ups_turns ON public.sign_ups USING btree (network, requested_at, id);
CREATE INDEX subscribers_state ON public.subscribers USING btree (state, id);
CREATE INDEX tokens_subscriber ON public.tokens USING btree (subscriber);
