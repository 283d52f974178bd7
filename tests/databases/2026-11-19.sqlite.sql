begin;
CREATE TABLE migrations (name text primary key, applied_at text not null);
insert into migrations values ('001-messages', '2026-11-19T20:45:44.460Z');
insert into migrations values ('002-outbox', '2026-11-19T20:45:44.481Z');
insert into migrations values ('003-newsletter', '2026-11-19T20:45:44.520Z');
insert into migrations values ('004-desk', '2026-11-19T20:45:44.522Z');
insert into migrations values ('005-views', '2026-11-19T20:45:44.522Z');
insert into migrations values ('007-hashed-keys', '2026-11-19T20:45:44.524Z');
insert into migrations values ('008-newsletter-networks', '2026-11-19T20:45:44.525Z');
insert into migrations values ('010-refusals', '2026-11-19T20:45:44.528Z');
insert into migrations values ('011-drop-views', '2026-11-19T20:45:44.533Z');
insert into migrations values ('012-import-network', '2026-11-19T20:45:44.533Z');
insert into migrations values ('013-honeypot-reasons', '2026-11-19T20:45:44.534Z');
insert into migrations values ('014-usual-names', '2026-11-19T20:45:44.549Z');
insert into migrations values ('015-failed-state', '2026-11-19T20:45:44.555Z');
insert into migrations values ('016-message-states', '2026-11-19T20:45:44.557Z');
insert into migrations values ('017-column-names', '2026-11-19T20:45:44.562Z');
insert into migrations values ('018-audits', '2026-11-19T20:45:44.563Z');
insert into migrations values ('019-search-texts', '2026-11-19T20:45:44.564Z');
CREATE TABLE readiness (id integer primary key, checks integer not null);
CREATE TABLE receivers (
    name text primary key,
    paused_at text,
    "pause_reason" text not null default '', refusals integer not null default 0, failing_at text, "failure_reason" text not null default '', probed_at text);
CREATE TABLE secrets (
    name text primary key,
    value text not null,
    created_at text not null);
insert into secrets values ('site', '04Se-vARL3zaHnwqQqqSvhBiiEYIJZ2KmSM3rPyWHIM', '2026-11-19T20:45:44.572Z');
insert into secrets values ('newsletter', '_NtuMCRYFKEym6OrEvMcxBg5MAdTBOOGx03aoMRTyNc', '2026-11-19T20:45:44.575Z');
CREATE TABLE "scheduled_runs" (name text primary key, done_at text not null);
insert into scheduled_runs values ('worker', '2026-11-19T20:46:44.590Z');
insert into scheduled_runs values ('newsletter-purge', '2026-11-19T20:45:44.598Z');
insert into scheduled_runs values ('retention', '2026-11-19T20:45:44.598Z');
insert into scheduled_runs values ('backup', '2026-11-19T20:46:13.321Z');
CREATE TABLE rate_counts (
    client text primary key,
    count integer not null,
    resets_at text not null);
CREATE TABLE subscribers (
    id text primary key,
    address text,
    state text not null check (state in ('pending', 'confirmed', 'unsubscribed', 'suppressed')),
    request_form text not null default '',
    "request_consent_text" text not null default '',
    requested_at text,
    form text not null default '',
    "consent_text" text not null default '',
    "consent_requested_at" text,
    mailed_at text,
    confirmed_at text,
    "unsubscribed_at" text,
    suppressed_at text,
    "suppression_reason" text not null default ''
      check ("suppression_reason" in ('', 'bounce', 'complaint', 'owner', 'erased')),
    constraint subscribers_address
      check (address is not null or state in ('unsubscribed', 'suppressed')));
insert into subscribers values ('hEPO1LZWQy9T55ljKew1JRXoxNm8K-NPnRaO1HofnKQ', 'confirmed@example.com', 'confirmed', '', '', NULL, 'home', '995f5056be054418', '2026-11-19T20:45:45.161Z', '2026-11-19T20:45:45.178Z', '2026-11-19T20:45:45.203Z', NULL, NULL, '');
insert into subscribers values ('FPmwb69JyihmbLVs6_W9B56hdR4oIu4cz0g8z7eaQQA', 'left@example.com', 'unsubscribed', '', '', NULL, 'home', '995f5056be054418', '2026-11-19T20:45:45.209Z', '2026-11-19T20:45:45.215Z', '2026-11-19T20:45:45.227Z', '2026-11-19T20:45:45.232Z', NULL, '');
insert into subscribers values ('P7njLgXK7-vapjnCWAXh0JSmSOX1IZ9Y0PmfgT_I-VU', 'bounces@example.com', 'suppressed', '', '', NULL, 'home', '995f5056be054418', '2026-11-19T20:45:45.241Z', '2026-11-19T20:45:45.244Z', '2026-11-19T20:45:45.249Z', NULL, '2026-11-19T20:45:45.251Z', 'bounce');
insert into subscribers values ('bE5unR-8pdjSBxh2IVuOdVFtDfsTiRTFBJPnDvuF4oA', 'complains@example.com', 'suppressed', '', '', NULL, 'home', '995f5056be054418', '2026-11-19T20:45:45.254Z', '2026-11-19T20:45:45.257Z', '2026-11-19T20:45:45.261Z', NULL, '2026-11-19T20:45:45.262Z', 'complaint');
insert into subscribers values ('O99U5SEpxE2cNJTC0jt-HTTW2A08wk-YJozAppEpx1o', 'owner@example.com', 'suppressed', '', '', NULL, 'home', '995f5056be054418', '2026-11-19T20:45:45.290Z', '2026-11-19T20:45:45.293Z', '2026-11-19T20:45:45.305Z', NULL, '2026-11-19T20:45:45.319Z', 'owner');
insert into subscribers values ('udezvCUePPy_-RCMMwYshCp50Uc9VCD-c-dDOEgkzqk', NULL, 'suppressed', '', '', NULL, '', '', NULL, NULL, NULL, NULL, '2026-11-19T20:45:45.333Z', 'erased');
insert into subscribers values ('k5umr66D_XgY6_CnysvgKoVHbxWkntTpSxSNrnJKq7w', 'pending@example.com', 'pending', 'home', '995f5056be054418', '2026-11-19T20:45:45.337Z', '', '', NULL, '2026-11-19T20:45:45.342Z', NULL, NULL, NULL, '');
insert into subscribers values ('LPgeKiiqbdo7GbItsE63xcmXDLSN05Hh5FesazxQ6XY', 'new@example.com', 'pending', 'home', '995f5056be054418', '2026-11-19T20:45:45.351Z', '', '', NULL, '2026-11-19T20:45:46.415Z', NULL, NULL, NULL, '');
CREATE TABLE tokens (
    hash text primary key,
    subscriber text not null,
    expires_at text not null);
insert into tokens values ('kept', 'k5umr66D_XgY6_CnysvgKoVHbxWkntTpSxSNrnJKq7w', '2027-01-01T00:00:00.000Z');
insert into tokens values ('Z2s6GELTXDetXg2726QUITc38RQi06UChQS9Blg-bII', 'k5umr66D_XgY6_CnysvgKoVHbxWkntTpSxSNrnJKq7w', '2026-11-26T20:45:45.355Z');
insert into tokens values ('Q14A4RcSY707YUES7ZUi_UhAOYq7zkwaJoXD8iXu8Eg', 'LPgeKiiqbdo7GbItsE63xcmXDLSN05Hh5FesazxQ6XY', '2026-11-26T20:45:46.421Z');
CREATE TABLE "consent_texts" (
    id text primary key,
    text text not null,
    first_used_at text not null);
insert into consent_texts values ('3683c81828537e33', 'Imported by the owner. Consent is given by the button that the confirmation letter leads to.', '2026-11-19T20:45:45.064Z');
insert into consent_texts values ('9178b79c4323d86f', 'Security notes for business, at most once a month, sent only after you have confirmed your address. Unsubscribe in one click. Not for people under 16.', '2026-11-19T20:45:45.064Z');
insert into consent_texts values ('995f5056be054418', 'Sent at most once a month, and only after you have confirmed your address. Unsubscribe in one click. Not for people under 16.', '2026-11-19T20:45:45.064Z');
CREATE TABLE sign_ups (
    id text primary key,
    subscriber text not null,
    address text not null,
    form text not null,
    "consent_text" text not null,
    "requested_at" text not null, network text not null default 'unknown');
CREATE TABLE "newsletter_issues" (
    reference text primary key,
    name text not null unique,
    "hash" text not null,
    subject text not null,
    html text not null,
    text text not null,
    queued_at text not null,
    held_at text);
insert into newsletter_issues values ('EX05K-R795M', '2026-03-march', 'cedd71b9193ee2e177d2af894115ddce0ca8e0b013eece0858de44f2c3a82d82', 'Three things', '<!doctype html>
<title>Three things</title>
<p>What is new.</p>
<p><a href="{{leave}}">Unsubscribe</a></p>
', 'Three things

What is new.

Unsubscribe: {{leave}}
', '2026-11-19T20:46:04.744Z', NULL);
CREATE TABLE attempts (
    reference text not null,
    receiver text not null,
    number integer not null,
    ended_at text not null,
    state text not null,
    "reason" text not null default '',
    constraint attempts_key primary key (reference, receiver, number));
insert into attempts values ('ZK137-70M8G', 'webhook', 1, '2026-11-19T20:45:44.658Z', 'waiting', 'port is one that HTTP may not use');
insert into attempts values ('ZK137-70M8G', 'sheet', 1, '2026-11-19T20:45:44.669Z', 'delivered', '');
insert into attempts values ('ZK137-70M8G', 'mail', 1, '2026-11-19T20:45:44.673Z', 'delivered', '');
insert into attempts values ('P46AC-WYWXJ', 'webhook', 1, '2026-11-19T20:45:45.182Z', 'waiting', 'port is one that HTTP may not use');
insert into attempts values ('P46AC-WYWXJ', 'mail', 1, '2026-11-19T20:45:45.198Z', 'delivered', '');
insert into attempts values ('P46AC-WYWXJ', 'sheet', 1, '2026-11-19T20:45:45.240Z', 'delivered', '');
insert into attempts values ('ZK137-70M8G', 'webhook', 2, '2026-11-19T20:45:49.764Z', 'waiting', 'port is one that HTTP may not use');
insert into attempts values ('P46AC-WYWXJ', 'webhook', 2, '2026-11-19T20:45:51.047Z', 'waiting', 'port is one that HTTP may not use');
CREATE TABLE audit (
    hash text not null,
    action text not null,
    done_at text not null,
    counts text not null,
    constraint audit_key primary key (hash, action, done_at));
insert into audit values ('ny2vMC3vx44sUKQHOtFmPkRs7LtCE7_sFIfgKjPN2X0', 'erase', '2026-11-19T20:46:12.271Z', '{"messages":1,"mentions":0,"newsletter":0,"rows":1,"mails":1}');
insert into audit values ('pxP1IDts-Cc4tigd_3Ypb9ZmpOQkHaWxjJ6GqjU8GbQ', 'erase-message', '2026-11-19T20:46:12.271Z', '{}');
CREATE TABLE throttles (receiver text primary key, used_until text not null);
CREATE TABLE messages (
    reference text primary key,
    received_at text not null,
    state text not null check (state in ('new', 'empty', 'quarantined', 'spam', 'answered', 'closed')),
    name text not null,
    email text not null,
    message text not null,
    service text not null, idempotency_key text, quarantine_reason text not null default '', answered_at text, closed_at text, audit_report text);
insert into messages values ('ZK137-70M8G', '2026-11-19T20:45:44.600Z', 'answered', 'Zoë Crème', 'zoe@example.com', 'A 100% sure_thing, "quoted" \ text.', 'Penetration Testing', 'D3h6JF6lzaik6aOrcnmQ5AF-bd31NiUP6p2cs2qb7VQ', '', '2026-11-19T20:45:58.130Z', NULL, NULL);
insert into messages values ('6YVYM-FK7VV', '2026-11-19T20:45:44.618Z', 'new', 'Bob', 'bob@example.com', 'Please write to zoe@example.com.', '', 'PdE0u44yUKbxl6AmQK-sqJOGo8GT-7ch_PFL9rkR8ww', '', NULL, NULL, NULL);
insert into messages values ('G0HJY-6MS75', '2026-11-19T20:45:44.625Z', 'new', 'Jörg MÜLLER', 'joerg@example.com', 'Rhabarber
für alle 𝒳𝒴𝒵 中文字符', '', 'HtHF1eVqCX_0HELUIIsk9carSLnD01uZJH9ivRvrxLQ', '', NULL, NULL, NULL);
insert into messages values ('P46AC-WYWXJ', '2026-11-19T20:45:44.640Z', 'spam', 'Spammer', 'spam@example.com', 'BUY NOW http://a.example http://b.example http://c.example http://d.example', '', 'NdLl1lZcF_IhyCV6NF1dw9GxBQpXPjZ5HwVJ2Kqmb3k', '', NULL, NULL, NULL);
insert into messages values ('129TB-RQMH5', '2026-11-19T20:45:44.667Z', 'empty', '', '', ' ', '', 'Bf7PVKiPDcPpljul9mbj4fhZ5Py0wrt78x7XJtkkk20', '', NULL, NULL, NULL);
insert into messages values ('MGGWG-J7DSS', '2026-11-19T20:45:44.691Z', 'closed', 'Cy', 'cy@example.com', 'Thank you.', '', '2_4shVNg_nrrrToT_sbWnHMYG6vm90tAU6o2SZpPpmE', '', NULL, '2026-11-19T20:46:00.017Z', NULL);
CREATE TABLE notes (
    reference text not null,
    created_at text not null,
    text text not null,
    constraint notes_key primary key (reference, created_at));
insert into notes values ('ZK137-70M8G', '2026-11-19T20:45:54.194Z', 'Called: crème brûlée');
CREATE TABLE deliveries (
    reference text not null,
    receiver text not null,
    kind text not null check (kind in ('message', 'notice', 'confirmation', 'issue')),
    payload text,
    state text not null default 'waiting' check (state in ('waiting', 'sending', 'delivered', 'failed', 'held', 'unconfirmed', 'cancelled')),
    created_at text not null,
    due_at text not null,
    attempts integer not null default 0,
    lease text,
    lease_until text,
    is_ambiguous integer not null default 0,
    "is_possible_duplicate" integer not null default 0,
    last_failure text not null default '',
    settled_at text, subscriber text, issue text, mailbox text, network text,
    constraint deliveries_key primary key (reference, receiver));
insert into deliveries values ('ZK137-70M8G', 'sheet', 'message', NULL, 'delivered', '2026-11-19T20:45:44.600Z', '2026-11-19T20:45:44.600Z', 1, NULL, NULL, 0, 0, '', '2026-11-19T20:45:44.669Z', NULL, NULL, NULL, NULL);
insert into deliveries values ('ZK137-70M8G', 'mail', 'message', NULL, 'delivered', '2026-11-19T20:45:44.600Z', '2026-11-19T20:45:44.600Z', 1, NULL, NULL, 0, 0, '', '2026-11-19T20:45:44.673Z', NULL, NULL, NULL, NULL);
insert into deliveries values ('ZK137-70M8G', 'webhook', 'message', NULL, 'waiting', '2026-11-19T20:45:44.600Z', '2026-11-19T20:49:53.222Z', 2, NULL, NULL, 0, 0, 'port is one that HTTP may not use', NULL, NULL, NULL, NULL, NULL);
insert into deliveries values ('6YVYM-FK7VV', 'sheet', 'message', NULL, 'delivered', '2026-11-19T20:45:44.618Z', '2026-11-19T20:45:44.618Z', 1, NULL, NULL, 0, 0, '', '2026-11-19T20:45:45.194Z', NULL, NULL, NULL, NULL);
insert into deliveries values ('6YVYM-FK7VV', 'mail', 'message', NULL, 'delivered', '2026-11-19T20:45:44.618Z', '2026-11-19T20:45:44.618Z', 1, NULL, NULL, 0, 0, '', '2026-11-19T20:45:44.692Z', NULL, NULL, NULL, NULL);
insert into deliveries values ('6YVYM-FK7VV', 'webhook', 'message', NULL, 'waiting', '2026-11-19T20:45:44.618Z', '2026-11-19T20:51:08.240Z', 2, NULL, NULL, 0, 0, 'port is one that HTTP may not use', NULL, NULL, NULL, NULL, NULL);
insert into deliveries values ('G0HJY-6MS75', 'sheet', 'message', NULL, 'delivered', '2026-11-19T20:45:44.625Z', '2026-11-19T20:45:44.625Z', 1, NULL, NULL, 0, 0, '', '2026-11-19T20:45:45.219Z', NULL, NULL, NULL, NULL);
insert into deliveries values ('G0HJY-6MS75', 'mail', 'message', NULL, 'delivered', '2026-11-19T20:45:44.625Z', '2026-11-19T20:45:44.625Z', 1, NULL, NULL, 0, 0, '', '2026-11-19T20:45:45.180Z', NULL, NULL, NULL, NULL);
insert into deliveries values ('G0HJY-6MS75', 'webhook', 'message', NULL, 'waiting', '2026-11-19T20:45:44.625Z', '2026-11-19T20:50:20.609Z', 2, NULL, NULL, 0, 0, 'port is one that HTTP may not use', NULL, NULL, NULL, NULL, NULL);
insert into deliveries values ('P46AC-WYWXJ', 'sheet', 'message', NULL, 'delivered', '2026-11-19T20:45:44.640Z', '2026-11-19T20:45:44.640Z', 1, NULL, NULL, 0, 0, '', '2026-11-19T20:45:45.240Z', NULL, NULL, NULL, NULL);
insert into deliveries values ('P46AC-WYWXJ', 'mail', 'message', NULL, 'delivered', '2026-11-19T20:45:44.640Z', '2026-11-19T20:45:44.640Z', 1, NULL, NULL, 0, 0, '', '2026-11-19T20:45:45.198Z', NULL, NULL, NULL, NULL);
insert into deliveries values ('P46AC-WYWXJ', 'webhook', 'message', NULL, 'cancelled', '2026-11-19T20:45:44.640Z', '2026-11-19T20:50:29.737Z', 2, NULL, NULL, 0, 0, 'marked as spam', '2026-11-19T20:46:00.644Z', NULL, NULL, NULL, NULL);
insert into deliveries values ('MGGWG-J7DSS', 'sheet', 'message', NULL, 'delivered', '2026-11-19T20:45:44.691Z', '2026-11-19T20:45:44.691Z', 1, NULL, NULL, 0, 0, '', '2026-11-19T20:45:45.256Z', NULL, NULL, NULL, NULL);
insert into deliveries values ('MGGWG-J7DSS', 'mail', 'message', NULL, 'delivered', '2026-11-19T20:45:44.691Z', '2026-11-19T20:45:44.691Z', 1, NULL, NULL, 0, 0, '', '2026-11-19T20:45:45.227Z', NULL, NULL, NULL, NULL);
insert into deliveries values ('MGGWG-J7DSS', 'webhook', 'message', NULL, 'waiting', '2026-11-19T20:45:44.691Z', '2026-11-19T20:51:39.276Z', 2, NULL, NULL, 0, 0, 'port is one that HTTP may not use', NULL, NULL, NULL, NULL, NULL);
insert into deliveries values ('0TP8Z-4JFS4', 'confirmations', 'confirmation', NULL, 'cancelled', '2026-11-19T20:45:45.178Z', '2026-11-19T20:45:45.178Z', 0, NULL, NULL, 0, 0, 'no longer wanted', '2026-11-19T20:45:45.203Z', 'hEPO1LZWQy9T55ljKew1JRXoxNm8K-NPnRaO1HofnKQ', NULL, 'RkPe8lPTpBO51SRZ-9l9kuAtD1cqMLBEQkuOgxrOqE0', 'unknown');
insert into deliveries values ('YAW5Q-JAWYB', 'confirmations', 'confirmation', NULL, 'cancelled', '2026-11-19T20:45:45.215Z', '2026-11-19T20:45:45.215Z', 0, NULL, NULL, 0, 0, 'no longer wanted', '2026-11-19T20:45:45.227Z', 'FPmwb69JyihmbLVs6_W9B56hdR4oIu4cz0g8z7eaQQA', NULL, '7QIAb9iFozfL2mKshPXW_g2R3p6LKAEFLygqtByD7rU', 'unknown');
insert into deliveries values ('TV1BP-3YS5Y', 'confirmations', 'confirmation', NULL, 'cancelled', '2026-11-19T20:45:45.244Z', '2026-11-19T20:45:45.244Z', 0, NULL, NULL, 0, 0, 'no longer wanted', '2026-11-19T20:45:45.249Z', 'P7njLgXK7-vapjnCWAXh0JSmSOX1IZ9Y0PmfgT_I-VU', NULL, 'OFydxuO_fYuRMlYH_25qztUiWc3-YaYgxSoRLw2bx7c', 'unknown');
insert into deliveries values ('K5DNN-HB4KV', 'confirmations', 'confirmation', NULL, 'cancelled', '2026-11-19T20:45:45.257Z', '2026-11-19T20:45:45.257Z', 0, NULL, NULL, 0, 0, 'no longer wanted', '2026-11-19T20:45:45.261Z', 'bE5unR-8pdjSBxh2IVuOdVFtDfsTiRTFBJPnDvuF4oA', NULL, 'ecCUIULNvI-h4LXNt83CleUyV7NLm45tKlS0rX85WHE', 'unknown');
insert into deliveries values ('WBYZF-0SRSZ', 'confirmations', 'confirmation', NULL, 'cancelled', '2026-11-19T20:45:45.293Z', '2026-11-19T20:45:45.293Z', 0, NULL, NULL, 0, 0, 'no longer wanted', '2026-11-19T20:45:45.305Z', 'O99U5SEpxE2cNJTC0jt-HTTW2A08wk-YJozAppEpx1o', NULL, 'hxLWWFCeKu1swizwug8_yaKT-xYrcDJM9_YbJRmqao0', 'unknown');
insert into deliveries values ('YTY43-EFWZD', 'confirmations', 'confirmation', NULL, 'delivered', '2026-11-19T20:45:45.342Z', '2026-11-19T20:45:45.342Z', 1, NULL, NULL, 0, 0, '', '2026-11-19T20:45:45.360Z', 'k5umr66D_XgY6_CnysvgKoVHbxWkntTpSxSNrnJKq7w', NULL, '7wM26fYKddz0Ts2fAClIowsvuHR2OoO32T_Ri5bAf7Q', 'unknown');
insert into deliveries values ('3HE86-DW88Q', 'confirmations', 'confirmation', NULL, 'delivered', '2026-11-19T20:45:46.415Z', '2026-11-19T20:45:46.415Z', 1, NULL, NULL, 0, 0, '', '2026-11-19T20:45:46.426Z', 'LPgeKiiqbdo7GbItsE63xcmXDLSN05Hh5FesazxQ6XY', NULL, 'DYBRSve93YFkL6hN-13xyv-Kn4lZW6P8x1lwXzdFisE', 'unknown');
insert into deliveries values ('EX05K-R795M-hEPO1LZWQy9T55ljKew1JRXoxNm8K-NPnRaO1HofnKQ', 'newsletter', 'issue', NULL, 'delivered', '2026-11-19T20:46:04.744Z', '2026-11-19T20:46:04.744Z', 1, NULL, NULL, 0, 0, '', '2026-11-19T20:46:06.525Z', 'hEPO1LZWQy9T55ljKew1JRXoxNm8K-NPnRaO1HofnKQ', 'EX05K-R795M', NULL, NULL);
CREATE TABLE audit_reports (
    id text primary key,
    domain text not null,
    measured_at text not null,
    report text not null);
insert into audit_reports values ('r1', 'example.org', '2026-11-19T20:45:45.352Z', '{}');
CREATE TABLE audit_links (
    hash text primary key,
    report text not null,
    created_at text not null,
    expires_at text not null);
insert into audit_links values ('h1', 'r1', '2026-11-19T20:45:45.352Z', '2027-01-01T00:00:00.000Z');
CREATE TABLE search_texts (
    id integer primary key,
    reference text not null unique,
    text text not null);
insert into search_texts values (1, 'ZK137-70M8G', 'zk137-70m8g
zoe creme
zoe@example.com
a 100% sure_thing, "quoted" \ text.
penetration testing
called: creme brulee');
insert into search_texts values (2, '6YVYM-FK7VV', '6yvym-fk7vv
bob
bob@example.com
please write to zoe@example.com.
');
insert into search_texts values (3, 'G0HJY-6MS75', 'g0hjy-6ms75
jorg muller
joerg@example.com
rhabarber
fur alle xyz 中文字符
');
insert into search_texts values (4, 'P46AC-WYWXJ', 'p46ac-wywxj
spammer
spam@example.com
buy now http://a.example http://b.example http://c.example http://d.example
');
insert into search_texts values (5, '129TB-RQMH5', '129tb-rqmh5


 
');
insert into search_texts values (7, 'MGGWG-J7DSS', 'mggwg-j7dss
cy
cy@example.com
thank you.
');
CREATE VIRTUAL TABLE search_index using fts5 (text, content = 'search_texts', content_rowid = 'id',
    tokenize = 'trigram case_sensitive 1', detail = none, columnsize = 0);
CREATE INDEX subscribers_state on subscribers (state, id);
CREATE INDEX tokens_subscriber on tokens (subscriber);
CREATE INDEX sign_ups_turns on sign_ups (network, "requested_at", id);
CREATE INDEX sign_ups_requested_at on sign_ups (requested_at, id);
CREATE UNIQUE INDEX messages_idempotency_key on messages (idempotency_key);
CREATE INDEX messages_received on messages (received_at, reference);
CREATE INDEX messages_state on messages (state, received_at, reference);
CREATE INDEX deliveries_due on deliveries (receiver, state, due_at);
CREATE INDEX deliveries_issue on deliveries (issue, state)
    where issue is not null;
CREATE INDEX deliveries_subscriber on deliveries (subscriber)
    where subscriber is not null;
CREATE INDEX deliveries_confirmations on deliveries (created_at)
    where kind = 'confirmation';
CREATE INDEX deliveries_newest on deliveries (created_at desc, reference);
CREATE INDEX deliveries_notices on deliveries (reference) where kind = 'notice';
CREATE INDEX deliveries_mailbox on deliveries (mailbox) where mailbox is not null;
CREATE INDEX deliveries_tried on deliveries (receiver, state, due_at)
    where state = 'waiting' and attempts > 0;
CREATE INDEX audit_reports_domain on audit_reports (domain, measured_at);
CREATE INDEX audit_links_report on audit_links (report);
CREATE INDEX audit_links_expires_at on audit_links (expires_at);
insert into search_index (search_index) values ('rebuild');
commit;
