// Invariant: the run shows the same profit, fees, volume and number of trades as the exchange's own record; and while the account is flat, the profit does
// not change. Its funding: `funding.ts`.

import { opposite, signOf } from '../../../bot/domain/book.ts';
import type { MarketId } from '../../../bot/domain/ids.ts';
import { lots, type Ticks } from '../../../bot/domain/numbers.ts';
import type { World } from '../../../bot/world/world.ts';
import type { MakeCheck, Process, Scene } from '../environment/scene.ts';

export const profit: MakeCheck = (scene) => {
  const atFirst = cashOf(scene);
  /** The mark price at which the run first saw each position from before it. */
  const marks = new Map<MarketId, Ticks>();
  let current: Process | undefined;
  let wasFlat = false;
  /** The funding after the last turn. */
  let fundingBefore = 0;
  /** False until the profit at the start of the day is known. */
  let knowsToday = false;
  const markIn = (world: World): void => {
    for (const { id } of scene.venue.exchange.markets) {
      const mark = world.info(id)?.value.mark ?? world.info(id)?.value.index;
      if (!marks.has(id) && mark !== undefined && world.accounting.profit.held(id) !== undefined) marks.set(id, mark);
    }
  };
  return {
    died({ trading }) {
      if (trading !== undefined) markIn(trading.run.world); // it may have died in the turn that first saw a position, after it had journaled that
    },
    started(by) {
      current = by;
      wasFlat = false;
      const accounting = by.trading?.run.world.accounting;
      if (accounting === undefined) return;
      if (accounting.losses.carry() === undefined) marks.clear(); // nothing was journaled of an earlier valuation
      const carried = new Map(accounting.profit.carry().held);
      for (const id of marks.keys()) if ((carried.get(id) ?? 0) === filledIn(scene, id)) marks.delete(id); // only the fills were journaled, not the valuation
    },
    turn({ events, fills, corrections = [], totals }, by) {
      const world = by.trading?.run.world;
      if (world === undefined) return;
      markIn(world);
      const flat = isFlat(world);
      const isBooked = fills.length + corrections.length > 0;
      const isShown = events.some(({ kind }) => kind === 'accountSeen'); // an account may show funding
      const before = fundingBefore;
      fundingBefore = world.accounting.profit.funding.total;
      // The times of payments, once they are announced, show on which sizes funding was paid.
      const isPaidOtherwise = fundingBefore !== before && events.some(({ kind }) => kind === 'infoSeen');
      const mayChange = isBooked || isShown || isPaidOtherwise;
      const knewToday = knowsToday;
      knowsToday = world.accounting.losses.dayOpening !== undefined;
      if (flat && wasFlat && !mayChange && totals !== undefined && knewToday === knowsToday)
        scene.fail('V28', `the account is flat, and its profit became ${totals.profit} micros, ${totals.today} of them today`);
      wasFlat = flat;
    },
    quiescent() {
      if (current?.trading !== undefined) compare(scene, { by: current, atFirst, marks });
    },
  };
};

/** The signed sum of the fills that are in the record. */
function filledIn({ venue, record }: Scene, id: MarketId): number {
  const market = venue.exchange.markets.find((one) => one.id === id)!;
  let sum = 0;
  for (const { market: symbol, side, size } of record.fills.values())
    if (symbol === market.symbol) sum += signOf(side) * market.parseSize(size);
  return sum;
}

const isFlat = (world: World): boolean =>
  [...world.marketIds].every((id) => (world.position(id)?.size ?? 0) === 0 && world.accounting.profit.held(id) === 0);

/** Quote money of the account without its funding, less what its positions cost; in millionths. */
function cashOf({ venue: { exchange, account } }: Scene): number {
  const { balances, positions } = exchange.account(account)!;
  const money = balances.reduce((sum, { tokenId, amount }) => sum + (tokenId === 0 ? Math.round(amount * 1e6) : 0), 0);
  const cash = positions.reduce((sum, { cost, fundingPaymentPnl }) => sum + fundingPaymentPnl - cost, money);
  return exchange.records.fundingPayments(account).reduce((sum, { payment }) => sum + payment, cash);
}

interface Ending {
  readonly by: Process;
  readonly atFirst: number;
  readonly marks: ReadonlyMap<MarketId, Ticks>;
}

/** Compares the gain of the account, at the last prices that the bot has read, with the profit of the run. */
function compare(scene: Scene, { by: { trading }, atFirst, marks }: Ending): void {
  const { venue, record, tolerated, fail } = scene;
  if (trading === undefined || record.losses > 0 || record.toleratedTrades.size > 0 || tolerated.unseen.size > 0) return;
  if (venue.truth.undone.trades.size > 0 || !areBooked(scene)) return;
  if ([...record.fills.values()].some(({ provisional }) => provisional !== undefined)) return; // V6 checks whether a fill may be provisional
  const { world } = trading.run;
  let gained = cashOf(scene) - atFirst;
  for (const market of venue.exchange.markets) {
    const { id } = market;
    const [before, now] = [venue.truth.openings.get(id) ?? lots(0), lots(venue.truth.position(id))];
    if (world.held(id) !== now) return; // V5 checks the position, and what the bot need not know of it
    const worth = world.accounting.profit.worth(id, now);
    const mark = marks.get(id);
    if (worth === undefined || (mark === undefined && before !== 0)) return;
    gained += worth - (mark === undefined ? 0 : market.notional(mark, before));
  }
  const shown = Math.round(Number(trading.summary().pnl) * 1e6) - world.accounting.profit.funding.total;
  if (shown !== gained) fail('V28', `the account gained ${gained} micros before funding, and the run shows a profit of ${shown}`);
  compareTrades(scene, world);
}

/** True if the bot knows all trades of its account; V6 checks which ones of another program it need not know. */
const areBooked = ({ venue: { truth, account }, record: { fills } }: Scene): boolean =>
  truth
    .trades()
    .every(
      ({ tradeId, takerId, makerId, takerSide }) =>
        (takerId !== account || fills.has(`${tradeId}/${takerSide}`)) &&
        (makerId !== account || fills.has(`${tradeId}/${opposite(takerSide)}`)),
    );

/** Compares the fees, the volume and the number of the account's trades with the totals of the run. */
function compareTrades({ venue: { truth, exchange, account }, fail }: Scene, { accounting: { totals } }: World): void {
  const made = { fees: 0, volume: 0, fills: 0 };
  for (const { market: id, takerId, makerId, takerFee, makerFee, price, size } of truth.trades()) {
    const sides = Number(takerId === account) + Number(makerId === account);
    const market = exchange.markets.find((one) => one.id === id);
    if (sides === 0 || market === undefined) continue;
    made.fees += (takerId === account ? takerFee : 0) + (makerId === account ? makerFee : 0);
    made.volume += sides * market.notional(price, size);
    made.fills += 1;
  }
  for (const name of ['fees', 'volume', 'fills'] as const)
    if (totals[name] !== made[name]) fail('V28', `${name} of the account's trades: ${made[name]}; the run shows ${totals[name]}`);
}
