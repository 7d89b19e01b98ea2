// Every intent passes every guard here, and only here does it become an approved one.
import type { Level } from '../domain/book.ts';
import type { MarketId } from '../domain/ids.ts';
import type { Approved, Intent, Quote, Target } from '../domain/intent.ts';
import type { Market } from '../domain/market.ts';
import { type Lots, lots } from '../domain/numbers.ts';
import type { Order } from '../domain/order.ts';
import { SIDES, type Side, signOf } from '../domain/side.ts';
import type { Finding } from '../domain/turn.ts';
import { type Exposure, reduces, withOrder } from '../world/exposure.ts';
import { match, shortfall } from '../world/match.ts';
import type { World } from '../world/world.ts';
import type { Candidate, Circumstances, RiskRules } from './guard.ts';

/** What the gates say of the markets, before anything is wanted. */
export interface Gated {
  readonly open: ReadonlySet<MarketId>;
  /** Markets in which nothing is to be sent, and what rests stays. */
  readonly held: ReadonlySet<MarketId>;
  readonly findings: readonly Finding[];
}

export function passGates({ gates }: RiskRules, world: World): Gated {
  const open = new Set<MarketId>();
  const held = new Set<MarketId>();
  const findings: Finding[] = [];
  for (const market of world.markets.values()) {
    const stops = gates.flatMap((gate) => {
      const stop = gate.check(market, world);
      return stop === undefined ? [] : [{ guard: gate.name, ...stop }];
    });
    for (const { guard, kind, reason } of stops) {
      findings.push({ guard, market: market.id, verdict: kind === 'hold' ? 'hold' : 'refuse', reason });
    }
    if (stops.length === 0) open.add(market.id);
    else if (stops.every(({ kind }) => kind === 'hold')) held.add(market.id);
  }
  return { open, held, findings };
}

export interface Review {
  readonly approved: readonly Approved[];
  readonly held: Gated['held'];
  /** Those of the gates, then those of the guards. */
  readonly findings: readonly Finding[];
}

/** `gated` are the gates' words, where they have been asked already. */
export function review(
  intents: readonly Intent[],
  { rules, world, gated = passGates(rules, world) }: { rules: RiskRules; world: World; gated?: Gated },
): Review {
  const findings = [...gated.findings];
  const inquiry = new Inquiry({ rules, world, findings });
  const approved: Approved[] = [];
  for (const intent of intents) {
    const market = world.market(intent.market);
    if (!gated.open.has(market.id)) continue;
    approved.push((intent.kind === 'quote' ? inquiry.quote(intent, market) : inquiry.target(intent, market)) as Approved);
  }
  return { approved, held: gated.held, findings };
}

/**
 * One turn's questions to the guards. A new order is held against all that stands, wanted or not, and all that was passed before it. One that stands
 * is held against what comes before it only, so that where not all can stay the farthest go first.
 */
class Inquiry {
  readonly #rules: RiskRules;
  readonly #world: World;
  readonly #findings: Finding[];
  readonly #all: Exposures;
  readonly #before: Exposures;
  readonly #passed: (Candidate & { readonly remaining: Lots })[] = [];

  constructor({ rules, world, findings }: { rules: RiskRules; world: World; findings: Finding[] }) {
    this.#rules = rules;
    this.#world = world;
    this.#findings = findings;
    this.#all = new Exposures(world);
    this.#before = new Exposures(world);
  }

  quote(quote: Quote, market: Market): Quote {
    const orders = this.#world.orders(market.id);
    const wanted = SIDES.flatMap((side) => {
      const levels = side === 'bid' ? quote.bids : quote.asks;
      const pairs = match({ wanted: levels, orders: orders.filter((order) => order.side === side), slack: quote.slack }).wanted;
      return pairs.map(({ level, order }, rank) => ({ side, level, order, rank }));
    }).sort((a, b) => a.rank - b.rank);
    for (const { side, order } of wanted) if (order !== undefined) this.#before.add(market.id, { side, size: lots(-order.remaining) });

    const passed: { bid: Level[]; ask: Level[] } = { bid: [], ask: [] };
    for (const { side, level, order } of wanted) {
      const size = this.#ask({ market, side, price: level.price, size: level.size, fillMode: quote.fillMode }, order);
      if (size > 0) passed[side].push({ price: level.price, size });
    }
    return { ...quote, bids: passed.bid, asks: passed.ask };
  }

  target(target: Target, market: Market): Target {
    const missing = shortfall(target, this.#all.of(market.id));
    if (missing === undefined) return target;
    const size = this.#ask({ market, ...missing, price: target.limit, fillMode: 'IMMEDIATE_OR_CANCEL' }, undefined);
    return { ...target, position: lots(target.position - signOf(missing.side) * (missing.size - size)) };
  }

  /** The size that all guards leave of a wanted order; a standing one cannot shrink in place, so it is left whole or withdrawn. */
  #ask(want: Omit<Candidate, 'standing' | 'reducing'>, standing: Order | undefined): Lots {
    const { market, side } = want;
    const exposures = standing === undefined ? this.#all : this.#before;
    const size = standing?.remaining ?? want.size;
    const candidate = { ...want, size, standing, reducing: reduces(exposures.of(market.id), { side, size }) };
    const left = this.#throughGuards(candidate, exposures);
    if (standing !== undefined) {
      this.#before.add(market.id, { side, size }); // even when withdrawn it rests until it is seen gone
      return left < size ? lots(0) : want.size;
    }
    if (left > 0) this.#passed.push({ ...candidate, size: left, remaining: left });
    for (const counted of [this.#all, this.#before]) counted.add(market.id, { side, size: left });
    return left;
  }

  #throughGuards(candidate: Candidate, exposures: Exposures): Lots {
    const circumstances: Circumstances = {
      world: this.#world,
      exposure: (market) => exposures.of(market),
      passed: () => this.#passed.length,
      own: (market) => [...this.#world.orders(market), ...this.#passed.filter((passed) => passed.market.id === market)],
    };
    let left = candidate;
    for (const guard of this.#rules.guards) {
      const verdict = guard.review(left, circumstances);
      if (verdict.kind === 'pass') continue;
      const size = lots(verdict.kind === 'refuse' ? 0 : Math.max(0, Math.min(left.size, verdict.size)));
      const kind = size > 0 ? 'shrink' : 'refuse';
      this.#findings.push({ guard: guard.name, market: left.market.id, side: left.side, verdict: kind, reason: verdict.reason });
      if (size === 0) return size;
      left = { ...left, size };
    }
    return left.size;
  }
}

/** The worst case of each market as a turn goes on. */
class Exposures {
  readonly #world: World;
  readonly #markets = new Map<MarketId, Exposure>();

  constructor(world: World) {
    this.#world = world;
  }

  of(market: MarketId): Exposure {
    return this.#markets.get(market) ?? this.#world.exposure(market);
  }

  add(market: MarketId, order: { readonly side: Side; readonly size: Lots }): void {
    this.#markets.set(market, withOrder(this.of(market), order));
  }
}
