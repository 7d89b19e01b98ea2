// Orders that rest when a run starts: which of them its journal knows, also after it was shortened.
import { expect, test } from 'vitest';
import { VirtualClock } from '../../../src/base/clock.ts';
import { UserError } from '../../../src/base/errors.ts';
import type { Account } from '../../../src/bot/domain/account.ts';
import { lots, micros, ticks } from '../../../src/bot/domain/numbers.ts';
import { startCheck } from '../../../src/bot/run/core/start-check.ts';
import type { Entry } from '../../../src/bot/run/state/entries.ts';
import { memoryState } from '../../memory-state.ts';
import { AT, fillLine } from '../report/samples.ts';
import { BTC } from '../world-builder.ts';

const NOTHING = micros(0);
const MARGINS = { omf: NOTHING, mf: NOTHING, imf: NOTHING, mmf: NOTHING, pon: NOTHING, pn: NOTHING, bankruptcy: false };

/** The code of the refusal of a start with this journal and one resting order with client order id 1; undefined if it starts. */
function refusal(...entries: Entry[]): string | undefined {
  const terms = { market: 0, side: 'bid', price: ticks(600_000), size: lots(1_000), originalSize: lots(1_000) } as const;
  const account: Account = {
    id: 7,
    updateId: '1',
    balances: [],
    positions: [],
    orders: [{ orderId: 'x', clientOrderId: '1', ...terms }],
    margins: MARGINS,
  };
  const check = startCheck({
    clock: new VirtualClock(Date.parse(AT)),
    state: { ...memoryState(entries), series: 70_000 },
    holder: { exchange: 'hosted', user: 'me' },
  });
  try {
    check({ account: 7, markets: [BTC], accounts: [account] });
    return undefined;
  } catch (error) {
    if (error instanceof UserError) return error.code;
    throw error;
  }
}

test('an order that the journal does not know refuses the start', () => {
  expect(refusal()).toBe('foreign');
  expect(refusal(fillLine({ orderId: 'x', role: 'maker' }))).toBe('foreign');
});

test('an order of which only fills are left in the journal is known: an old account lists it again', () => {
  expect(refusal(fillLine({ clientOrderId: '1' }))).toBeUndefined();
});
