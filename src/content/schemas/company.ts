import * as v from 'valibot';
import { count, email, group, listOf, phone, text, webAddress } from '../fields.ts';

export const company = group({
  name: text(60),
  logoText: text(40),
  phone: phone(),
  email: email(),
  securityContact: v.optional(v.nullable(email())),
  address: listOf(text(80), 1, 8),
  addressNote: v.nullable(text(60)),
  supportHours: text(60),
  registration: group({
    name: v.nullable(text(120)),
    number: v.nullable(text(20)),
    place: v.nullable(text(60)),
    office: v.nullable(text(200)),
    vat: v.nullable(text(20)),
  }),
  promises: group({
    reply: v.nullable(text(80)),
    audit: v.nullable(text(80)),
    test: v.nullable(text(80)),
    accreditations: v.nullable(text(200)),
    memberships: v.nullable(text(200)),
    insurance: v.nullable(text(120)),
  }),
  governingLaw: v.nullable(text(120)),
  governingLawUnfilled: text(120),
  copyrightYear: count(1990, 2100),
  social: group({
    professional: group({ label: text(40), url: webAddress() }),
    photos: group({ label: text(40), url: webAddress() }),
  }),
});
