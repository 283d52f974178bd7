import { describe, expect, test } from 'vitest';
import { compare } from './compare.ts';

describe('what was acknowledged, stored and delivered is compared:', () => {
  const acknowledged = (number: number, reference = `R${number}`) => ({ number, reference, at: 0 });
  const stored = (number: number, reference = `R${number}`) => ({ number, reference, receivers: 1 });
  const at = (receiver: string, numbers: number[], canBeAsked = true) => ({ receiver, canBeAsked, numbers });

  test('all is well when every message is where it belongs, once', () => {
    expect(
      compare([acknowledged(1), acknowledged(2)], [stored(1), stored(2)], [at('sheet', [2, 1])]),
    ).toEqual({ acknowledged: 2, stored: 2, delivered: 2, lost: [], repeated: [], repeatedElsewhere: 0 });
  });

  test('a message that was never acknowledged may be there or not', () => {
    const { lost, repeated, stored: kept } = compare([], [stored(1)], [at('sheet', [])]);
    expect([lost, repeated, kept]).toEqual([[], [], 1]);
  });

  test('acknowledged and not stored is lost, although it was delivered', () => {
    expect(compare([acknowledged(7)], [], [at('sheet', [7])]).lost).toEqual([
      '7: acknowledged as R7, not stored',
    ]);
  });

  test('acknowledged under a reference that does not exist is lost', () => {
    expect(compare([acknowledged(7)], [stored(7, 'R8')], [at('sheet', [7])]).lost).toEqual([
      '7: acknowledged as R7, stored as R8',
    ]);
  });

  test('stored and missing at one receiver of two is lost, and not delivered', () => {
    const { lost, delivered } = compare(
      [acknowledged(1), acknowledged(2)],
      [stored(1), stored(2)],
      [at('sheet', [1, 2]), at('mail', [2])],
    );
    expect([lost, delivered]).toEqual([['1: stored, not at mail'], 1]);
  });

  test('stored twice is repeated, even when it was never acknowledged', () => {
    expect(compare([], [stored(1), stored(1, 'R2')], []).repeated).toEqual(['1: stored 2 times']);
  });

  test('twice at a receiver with a lookup is repeated; elsewhere it is counted separately', () => {
    const arrivals = [at('sheet', [1, 2, 1, 1]), at('webhook', [1, 2, 2], false)];
    const found = compare([acknowledged(1), acknowledged(2)], [stored(1), stored(2)], arrivals);
    expect(found).toMatchObject({ lost: [], repeated: ['1: 3 times at sheet'], repeatedElsewhere: 1 });
  });
});
