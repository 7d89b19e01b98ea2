// An engine that asks its guards in every turn makes the same turns as one that reuses unchanged reviews.
import { expect, test } from 'vitest';
import { rngFrom } from '../../src/base/rng.ts';
import { Market, type MarketSpec } from '../../src/bot/domain/market.ts';
import type { Turn } from '../../src/bot/domain/turn.ts';
import { limitsSchema, rulesFrom } from '../../src/bot/risk/rules.ts';
import { readHeader } from '../../src/bot/run/state/turn-recording.ts';
import { deciderOf } from '../../src/bot/strategy/decide.ts';
import { loadStrategy } from '../../src/bot/strategy/loading/loader.ts';
import { resolveParams } from '../../src/bot/strategy/params.ts';
import { strictRules } from '../unit/risk/declared-reads.ts';
import { ETH } from '../unit/world-builder.ts';
import { replay } from './replayed.ts';
import { virtualRun } from './virtual-run.ts';

/** A market without data: a gate reports it in every turn, so no turn is skipped as unchanged. */
const UNSEEN: MarketSpec = { ...ETH.spec, id: 99, symbol: 'UNSEEN' };

/** Tight limits, at which guards often reject. The events then report orders that the engines never sent, equally for both. */
const TIGHT = { position: { maxNotional: 1_500 }, 'open-orders': { maxPerMarket: 5 }, rate: { maxPerSecond: 2, maxPerMinute: 20 } };

/** Recordings by strategy, each made once. */
const recordings = new Map<string, Promise<readonly string[]>>();
function recordingOf(strategy: string): Promise<readonly string[]> {
  const made = recordings.get(strategy) ?? virtualRun({ strategy, seed: 'three', seconds: 30 }).then(({ recording }) => recording);
  recordings.set(strategy, made);
  return made;
}

test.each([
  { name: 'grid', tight: false },
  { name: 'lean-maker', tight: false },
  { name: 'twap', tight: false },
  { name: 'grid', tight: true },
  { name: 'lean-maker', tight: true },
])('$name, tight limits: $tight', async ({ name, tight }) => {
  const [head = '', ...turns] = await recordingOf(name);
  const header = readHeader(head);
  const { strategy } = await loadStrategy(header.strategy);
  const params = resolveParams(strategy, header.params as Record<string, unknown>, () => undefined);
  const taken = (markets: readonly MarketSpec[]): readonly Turn[] => {
    const rng = rngFrom(header.seed).fork('strategy');
    const decide = deciderOf(strategy, params, { rng, markets: markets.map((spec) => new Market(spec)) });
    const rules = strictRules(rulesFrom(tight ? limitsSchema.parse(TIGHT) : (header.limits as Record<string, unknown>)));
    return [...replay(turns, { header: { ...header, markets }, decide, rules })].map((turn) => JSON.parse(turn) as Turn);
  };
  const asking = taken([...header.markets, UNSEEN]);
  expect(asking.some(({ findings }) => findings.some(({ market }) => market === UNSEEN.id))).toBe(true);
  if (tight) expect(asking.some(({ findings }) => findings.some(({ guard }) => Object.hasOwn(TIGHT, guard)))).toBe(true);
  expect(asking.map(withoutUnseen)).toEqual(taken(header.markets).map(withoutUnseen));
});

/** `idle` is left out too: the gate that reports the market holds it. */
function withoutUnseen({ ended = [], ...turn }: Turn): Turn {
  const rest = ended.filter(({ market }) => market !== UNSEEN.id);
  const findings = turn.findings.filter(({ market }) => market !== UNSEEN.id);
  return { ...turn, findings, idle: undefined, ...(rest.length > 0 && { ended: rest }) };
}
