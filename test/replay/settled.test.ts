// An engine that asks its guards in every turn does the same as one that leaves out what cannot have changed.
import { expect, test } from 'vitest';
import { rngFrom } from '../../src/base/rng.ts';
import { Market, type MarketSpec } from '../../src/domain/market.ts';
import type { Turn } from '../../src/domain/turn.ts';
import { rulesFrom } from '../../src/risk/rules.ts';
import { readHeader, replay } from '../../src/run/recording.ts';
import { deciderOf } from '../../src/strategy/decide.ts';
import { loadStrategy } from '../../src/strategy/loader.ts';
import { resolveParams } from '../../src/strategy/params.ts';
import { ETH } from '../unit/world-builder.ts';
import { virtualRun } from './virtual-run.ts';

/** Nothing is ever seen of it: in every turn a gate speaks of it, so no turn passes for one that has nothing to add. */
const UNSEEN: MarketSpec = { ...ETH.spec, id: 99, symbol: 'UNSEEN' };

test.each(['grid', 'lean-maker', 'twap'])('%s', async (name) => {
  const [head = '', ...turns] = (await virtualRun({ strategy: name, seed: 'three', seconds: 30 })).recording;
  const header = readHeader(head);
  const { strategy } = await loadStrategy(header.strategy);
  const params = resolveParams(strategy, header.params as Record<string, unknown>, () => undefined);
  const taken = (markets: readonly MarketSpec[]): readonly Turn[] => {
    const rng = rngFrom(header.seed).fork('strategy');
    const decide = deciderOf(strategy, params, { rng, markets: markets.map((spec) => new Market(spec)) });
    const rules = rulesFrom(header.limits as Record<string, unknown>);
    return [...replay(turns, { header: { ...header, markets }, decide, rules })].map((turn) => JSON.parse(turn) as Turn);
  };
  const asking = taken([...header.markets, UNSEEN]);
  expect(asking.some(({ findings }) => findings.some(({ market }) => market === UNSEEN.id))).toBe(true);
  expect(asking.map((turn) => ({ ...turn, findings: turn.findings.filter(({ market }) => market !== UNSEEN.id) }))).toEqual(
    taken(header.markets),
  );
});
