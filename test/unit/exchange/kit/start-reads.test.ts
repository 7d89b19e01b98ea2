// The two account reads of a start: an older account does not count as the second one.
import { expect, test } from 'vitest';
import { MachineClock, VirtualClock } from '../../../../src/base/clock.ts';
import { rngFrom } from '../../../../src/base/rng.ts';
import type { Account } from '../../../../src/bot/domain/account.ts';
import { micros } from '../../../../src/bot/domain/numbers.ts';
import { accountsAtStart, BETWEEN_ACCOUNTS } from '../../../../src/bot/exchange/kit/start-reads.ts';
import { startRetries } from '../../../../src/bot/exchange/kit/start-retries.ts';
import { driven } from '../../../driven.ts';
import { SleepingMachine } from '../../../sleeping-machine.ts';

const NOTHING = micros(0);
const MARGINS = { omf: NOTHING, mf: NOTHING, imf: NOTHING, mmf: NOTHING, pon: NOTHING, pn: NOTHING, bankruptcy: false };
const account = (updateId: string): Account => ({ id: 7, updateId, balances: [], positions: [], orders: [], margins: MARGINS });

/** The update ids of the accounts that the start read, and the times of the requests. After the first the machine's clock is set. */
async function looksAt(numbers: readonly string[], setBy = 0) {
  const world = new VirtualClock(0);
  const machine = new SleepingMachine(world);
  const clock = new MachineClock(machine);
  const [shown, asked]: [string[], number[]] = [[...numbers], []];
  const retry = startRetries({
    clock,
    rng: rngFrom('looks'),
    log: { info: () => undefined, warn: () => undefined },
    what: 'the exchange',
    hintFor: () => 'wait',
  });
  const read = async (): Promise<Account> => {
    asked.push(world.now());
    world.at(world.now() + 100, () => {
      if (asked.length === 1) machine.setWallClock(setBy);
      clock.now();
    });
    return account(shown.shift() ?? '9');
  };
  const looks = await driven(world, accountsAtStart({ clock, retry, read }));
  return { taken: looks.map(({ updateId }) => updateId), asked };
}

test('a second account that is older than the first comes from a cache, and is requested again', async () => {
  const { taken, asked } = await looksAt(['12', '8', '12']);
  expect(taken).toEqual(['12', '12']);
  expect(asked).toHaveLength(3);
  expect(asked[1]).toBe(BETWEEN_ACCOUNTS);
});

test('a first number that was wrong is passed when two lower ones agree, longer after it than a cache lags', async () => {
  const { taken, asked } = await looksAt([String(2n ** 60n), '8', '8', '8', '9', '10']);
  expect(taken[0]).toBe(String(2n ** 60n));
  expect(Number(taken[1])).toBeLessThan(11);
  expect((asked.at(-1) ?? 0) - 100).toBeGreaterThanOrEqual(2 * BETWEEN_ACCOUNTS - 100);
});

test('an account that does not change is read twice', async () => {
  expect((await looksAt(['12', '12'])).taken).toEqual(['12', '12']);
});

test('the two requests are two seconds apart by elapsed time, although the machine’s clock was set forward between them', async () => {
  expect((await looksAt(['12', '12'], 60_000)).asked).toEqual([0, BETWEEN_ACCOUNTS]);
});
