import * as v from 'valibot';
import { email, listOf, phone, strictObject, text } from '../fields.ts';

export const company = strictObject({
  phone: phone(),
  email: email(),
  securityContact: v.optional(v.nullable(email())),
  address: listOf(text(80), 1, 8),
  addressNote: v.nullable(text(60)),
  supportHours: text(60),
  registration: strictObject({
    number: v.nullable(text(20)),
    place: v.nullable(text(60)),
    office: v.nullable(text(200)),
    vat: v.nullable(text(20)),
  }),
  promises: strictObject({
    reply: v.nullable(text(80)),
    audit: v.nullable(text(80)),
    test: v.nullable(text(80)),
    accreditations: v.nullable(text(200)),
    memberships: v.nullable(text(200)),
    insurance: v.nullable(text(120)),
  }),
  people: v.optional(listOf(strictObject({ name: text(60), role: text(80) }), 0, 12), []),
  governingLaw: v.nullable(text(120)),
  governingLawFallback: text(120),
});

export type Company = v.InferOutput<typeof company>;
