import * as v from 'valibot';
import { day, description, text } from '../fields.ts';

const pageHead = { title: text(55), description: description() };

/** What pages have that search engines, chats and assistants are to show. */
export const foundHead = { ...pageHead, picture: text(60), updated: v.optional(day()) };

export const pageOpening = { ...pageHead, label: text(60), heading: text(90), lead: text() };
