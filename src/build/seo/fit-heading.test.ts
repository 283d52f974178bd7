import { expect, test } from 'vitest';
import { openCanvas } from './canvas.ts';
import { fitHeading } from './fit-heading.ts';

test('however a heading is spaced in its file, no line of it begins with a space or holds a break', () => {
  const { context } = openCanvas(1, 1);
  const linesOf = (heading: string) => fitHeading(context, heading, { width: 560, height: 300 });
  const plain = linesOf('Double spaces and breaks in a heading');
  expect(plain.lines.length).toBeGreaterThan(1);
  expect(linesOf('Double  spaces  and\nbreaks  in  a\r\n\theading')).toEqual(plain);
});
