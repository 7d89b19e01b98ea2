// Market events of the simulated exchange besides its other traders: price jumps, freezes, other fees, and a person on the bot's account.
import type { Clock, Millis } from '../../../../base/clock.ts';
import { ticks } from '../../../../bot/domain/numbers.ts';
import type { Exchange } from '../../../../embedded/exchange/exchange.ts';
import type { FaultBox } from '../../plan/fault-box.ts';
import type { FaultKind, InjectedFault } from '../../plan/faults.ts';
import type { Situation } from '../../record/situations.ts';
import type { ManualTrader } from './manual-trader.ts';

interface Scheduling {
  readonly clock: Clock;
  readonly faults: FaultBox;
  /** Schedules each fault of a kind at its time. */
  readonly each: (kind: FaultKind, run: (fault: InjectedFault) => void) => void;
  /** Counted from the start of the run. */
  readonly when: (at: Millis, run: () => void) => void;
}

/** `catchUp` brings the exchange to the present before each fault. */
export function schedulingOf({
  clock,
  faults,
  start,
  catchUp,
}: Pick<Scheduling, 'clock' | 'faults'> & { readonly start: Millis; readonly catchUp: () => void }): Scheduling {
  const when: Scheduling['when'] = (at, run) => void clock.at(start + at, run);
  const each: Scheduling['each'] = (kind, run) => {
    for (const fault of faults.of(kind))
      when(fault.from, () => {
        faults.strike(fault);
        catchUp();
        run(fault);
      });
  };
  return { clock, faults, each, when };
}

interface MarketFaultsOptions extends Scheduling {
  readonly exchange: () => Exchange;
  readonly manualTrader: ManualTrader;
  readonly reached: (situation: Situation) => void;
}

const FEES = { lower: { makerPpm: 0, takerPpm: 100 }, higher: { makerPpm: 300, takerPpm: 900 } } as const;
/** How long an index stays where it has jumped to. */
const SHOCK_LASTS: Millis = 5_000;

export function scheduleMarketFaults({ exchange, clock, faults, manualTrader, reached, each, when }: MarketFaultsOptions): void {
  const inAll = (run: (id: number) => void): void => exchange().markets.forEach(({ id }) => run(id));
  each('fees', ({ detail }) => exchange().setFees(detail === 'lower' ? FEES.lower : FEES.higher));
  each('hand', (fault) => {
    const done = manualTrader.act(fault, faults.rng(fault));
    if (done !== undefined) reached(`person ${done}`);
    when(fault.until, () => manualTrader.cancelOrderOf(fault));
  });
  each('rival', (fault) => {
    const compete = (): void => {
      if (clock.now() >= began + fault.until - fault.from) return manualTrader.cancelOrderOf(fault);
      if (manualTrader.compete(fault, faults.rng(fault)) !== undefined) reached('another client acted on the account');
      clock.at(clock.now() + (fault.amount ?? 1_000), compete);
    };
    const began = clock.now();
    compete();
  });
  each('freeze', ({ until }) => {
    inAll((id) => exchange().freeze(id, true));
    when(until, () => inAll((id) => exchange().freeze(id, false)));
  });
  each('shock', ({ amount: bps = 0 }) => {
    inAll((id) => {
      const index = exchange().live(id)?.index;
      if (index !== undefined) exchange().setIndex(id, ticks(Math.max(1, Math.round(index * (1 + bps / 1e4)))));
    });
    clock.at(clock.now() + SHOCK_LASTS, () => inAll((id) => exchange().setIndex(id, undefined)));
  });
}

interface StallsOptions extends Scheduling {
  /** Called when time continues, with the span that is lost. */
  readonly lose: (span: Millis) => void;
}

/**
 * Engine time that stands still. If stalls overlap, time stands until the last one has ended, which decides whether it catches up; the time that they share
 * is lost once.
 */
export function scheduleStalls({ clock, faults, each, when, lose }: StallsOptions): void {
  let since: Millis | undefined;
  each('stall', ({ until, detail }) => {
    since ??= clock.now();
    when(until, () => {
      // `since` is not set if another stall has ended at this moment, too
      if (since === undefined || faults.on('stall') !== undefined) return;
      if (detail === 'behind') lose(clock.now() - since);
      since = undefined;
    });
  });
}
