import { expect, test } from 'vitest';
import { openCanvas } from './canvas.ts';
import { fitHeading } from './fit-heading.ts';

test('heading lines contain no extra white space', () => {
  const { context } = openCanvas(1, 1);
  const linesOf = (heading: string) => fitHeading(context, heading, { width: 560, height: 300 });
  const plain = linesOf('Double spaces and breaks in a heading');
  expect(plain.lines.length).toBeGreaterThan(1);
  expect(linesOf('Double  spaces  and\nbreaks  in  a\r\n\theading')).toEqual(plain);
});
