// Passes the events of a run to a presenter.
import { type Clock, every, type Millis } from '../../../base/clock.ts';
import { timeText } from '../../../base/text/duration.ts';
import type { Finding } from '../../../bot/domain/turn.ts';
import { stopAfter, type Trading } from '../../../bot/run/core/trading.ts';
import type { World } from '../../../bot/world/world.ts';
import type { Presenter, ShownOutcome } from '../../output/presenter.ts';
import type { Interrupts } from './interrupts.ts';

interface WatchOptions {
  readonly presenter: Presenter;
  readonly clock: Clock;
  readonly interrupts: Interrupts;
  readonly spanMs: Millis | undefined;
}

export async function watch(trading: Trading, { presenter, clock, interrupts, spanMs }: WatchOptions): Promise<ShownOutcome> {
  const { run, lines } = trading;
  const notice = noticesOf(trading, presenter);
  presenter.begin(trading);
  lines.subscribe((line) => {
    notice();
    presenter.line(line);
  });
  run.turns.subscribe(notice);
  const stopTicking = every(clock, presenter.everyMs, () => presenter.update());
  if (spanMs !== undefined) stopAfter(run, { clock, spanMs });
  interrupts.applyTo(run);
  const ending = await run.done;
  stopTicking();
  const outcome = { ending, summary: trading.summary(), open: openOrders(run.world) };
  presenter.end(outcome);
  return outcome;
}

/** Returns a function, called before each line, that notifies the presenter when the run is ready, a held market trades again, or the run stops. */
function noticesOf(trading: Trading, presenter: Presenter): () => void {
  const { world } = trading.run;
  let [ready, stopping] = [false, false];
  let held: Finding | undefined;
  return () => {
    const hold = heldNow(trading.now().findings, held);
    if (ready && held !== undefined && hold === undefined && world.stopping === undefined)
      presenter.resumed(timeText(world.now), held.reason);
    held = hold;
    if (!ready && isFresh(world)) {
      ready = true;
      presenter.ready(timeText(world.now));
    }
    if (!stopping && world.stopping !== undefined) {
      stopping = true;
      presenter.stopping(timeText(world.now), world.stopping);
    }
  };
}

/**
 * Returns a finding that holds a market. If there is none, returns `before`, the previous one, while its guard still refuses orders of that market: data
 * that grows old first holds a market and then refuses its orders.
 */
function heldNow(holding: readonly Finding[], before: Finding | undefined): Finding | undefined {
  const same =
    before && holding.find(({ guard, market, side }) => guard === before.guard && market === before.market && side === undefined);
  return holding.find(({ verdict }) => verdict === 'hold') ?? same;
}

/** True if all data that a strategy uses has arrived and every stream is healthy. */
function isFresh(world: World): boolean {
  const seen = [...world.markets.keys()].every((market) => world.book(market) !== undefined && world.info(market) !== undefined);
  return seen && world.account !== undefined && world.engineTime !== undefined && [...world.unhealthy()].length === 0;
}

function openOrders(world: World): ShownOutcome['open'] {
  return world.orders().map((order) => {
    const market = world.market(order.market);
    const [price, size] = [market.priceText(order.price), market.sizeText(order.remaining)];
    return {
      orderId: order.orderId,
      clientOrderId: order.clientOrderId,
      status: order.status,
      side: order.side,
      symbol: market.symbol,
      price,
      size,
    };
  });
}
