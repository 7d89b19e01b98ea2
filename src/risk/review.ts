// Every intent passes every guard here, and only here does it become an approved one.
import type { Level } from '../domain/book.ts';
import type { MarketId } from '../domain/ids.ts';
import type { Approved, Intent, Quote, Target } from '../domain/intent.ts';
import type { Market } from '../domain/market.ts';
import { type Lots, lots } from '../domain/numbers.ts';
import type { Order } from '../domain/order.ts';
import { SIDES, signOf } from '../domain/side.ts';
import type { Finding } from '../domain/turn.ts';
import { type Exposure, reduces, withOrder } from '../world/exposure.ts';
import { match, shortfall } from '../world/match.ts';
import type { World } from '../world/world.ts';
import type { Candidate, Circumstances, RiskRules } from './guard.ts';

export interface Review {
  readonly approved: readonly Approved[];
  /** Markets in which nothing is to be sent, and what rests stays. */
  readonly held: ReadonlySet<MarketId>;
  readonly findings: readonly Finding[];
}

export function review(intents: readonly Intent[], { rules, world }: { rules: RiskRules; world: World }): Review {
  const { open, held, findings } = passGates(rules, world);
  const inquiry = new Inquiry({ rules, world, findings });
  const approved: Approved[] = [];
  for (const intent of intents) {
    const market = world.market(intent.market);
    if (!open.has(market.id)) continue;
    approved.push((intent.kind === 'quote' ? inquiry.quote(intent, market) : inquiry.target(intent, market)) as Approved);
  }
  return { approved, held, findings };
}

function passGates({ gates }: RiskRules, world: World): { open: Set<MarketId>; held: Set<MarketId>; findings: Finding[] } {
  const open = new Set<MarketId>();
  const held = new Set<MarketId>();
  const findings: Finding[] = [];
  for (const market of world.markets.values()) {
    const stops = gates.flatMap((gate) => {
      const stop = gate.check(market, world);
      return stop === undefined ? [] : [{ guard: gate.name, ...stop }];
    });
    for (const { guard, kind, reason } of stops)
      findings.push({ guard, market: market.id, verdict: kind === 'hold' ? 'hold' : 'refuse', reason });
    if (stops.length === 0) open.add(market.id);
    else if (stops.every(({ kind }) => kind === 'hold')) held.add(market.id);
  }
  return { open, held, findings };
}

/** One turn's questions to the guards; what each answer adds to the exposure is in front of the next. */
class Inquiry {
  readonly #rules: RiskRules;
  readonly #findings: Finding[];
  readonly #exposures = new Map<MarketId, Exposure>();
  readonly #passed: (Candidate & { readonly remaining: Lots })[] = [];
  readonly #circumstances: Circumstances;

  constructor({ rules, world, findings }: { rules: RiskRules; world: World; findings: Finding[] }) {
    this.#rules = rules;
    this.#findings = findings;
    this.#circumstances = {
      world,
      exposure: (market) => this.#exposures.get(market) ?? world.exposure(market),
      passed: () => this.#passed.length,
      own: (market) => [...world.orders(market), ...this.#passed.filter((candidate) => candidate.market.id === market)],
    };
  }

  quote(quote: Quote, market: Market): Quote {
    const { world } = this.#circumstances;
    const orders = world.orders(market.id);
    const wanted = SIDES.flatMap((side) => {
      const levels = side === 'bid' ? quote.bids : quote.asks;
      const pairs = match({ wanted: levels, orders: orders.filter((order) => order.side === side), slack: quote.slack }).wanted;
      return pairs.map(({ level, order }, rank) => ({ side, level, order, rank }));
    }).sort((a, b) => a.rank - b.rank);
    this.#exposures.set(market.id, without(this.#circumstances.exposure(market.id), wanted));

    const passed: { bid: Level[]; ask: Level[] } = { bid: [], ask: [] };
    for (const { side, level, order } of wanted) {
      const size = this.#ask({ market, side, price: level.price, size: level.size, fillMode: quote.fillMode }, order);
      if (size > 0) passed[side].push({ price: level.price, size });
    }
    return { ...quote, bids: passed.bid, asks: passed.ask };
  }

  target(target: Target, market: Market): Target {
    const missing = shortfall(target, this.#circumstances.exposure(market.id));
    if (missing === undefined) return target;
    const size = this.#ask({ market, ...missing, price: target.limit, fillMode: 'IMMEDIATE_OR_CANCEL' }, undefined);
    return { ...target, position: lots(target.position - signOf(missing.side) * (missing.size - size)) };
  }

  /** The size that all guards leave of a wanted order; a standing one cannot shrink in place, so it is left whole or withdrawn. */
  #ask(want: Omit<Candidate, 'standing' | 'reducing'>, standing: Order | undefined): Lots {
    const before = this.#circumstances.exposure(want.market.id);
    const size = standing?.remaining ?? want.size;
    const candidate = { ...want, size, standing, reducing: reduces(before, { side: want.side, size }) };
    const left = this.#throughGuards(candidate);
    if (standing === undefined && left > 0) this.#passed.push({ ...candidate, size: left, remaining: left });
    const kept = standing === undefined ? left : left < size ? lots(0) : want.size;
    const counted = standing === undefined ? left : size; // a withdrawn order still rests until it is seen gone
    this.#exposures.set(want.market.id, withOrder(before, { side: want.side, size: counted }));
    return kept;
  }

  #throughGuards(candidate: Candidate): Lots {
    let left = candidate;
    for (const guard of this.#rules.guards) {
      const verdict = guard.review(left, this.#circumstances);
      if (verdict.kind === 'pass') continue;
      this.#findings.push({ guard: guard.name, market: left.market.id, side: left.side, verdict: verdict.kind, reason: verdict.reason });
      if (verdict.kind === 'refuse') return lots(0);
      left = { ...left, size: lots(Math.min(left.size, verdict.size)) };
      if (left.size <= 0) return lots(0);
    }
    return left.size;
  }
}

/** The exposure less the orders that stand for a want: each is counted again in its turn. */
function without(exposure: Exposure, wanted: readonly { readonly order: Order | undefined }[]): Exposure {
  return wanted.reduce(
    (left, { order }) => (order === undefined ? left : withOrder(left, { side: order.side, size: lots(-order.remaining) })),
    exposure,
  );
}
