// The inputs of a strategy: in the view, recorded, replayed, stale after failures. A signal survives a restart.
import { expect, test } from 'vitest';
import { rngFrom } from '../../../src/base/rng.ts';
import { Market } from '../../../src/bot/domain/market.ts';
import { rulesFrom } from '../../../src/bot/risk/rules.ts';
import { checkpointOf } from '../../../src/bot/run/state/checkpoint.ts';
import { readHeader } from '../../../src/bot/run/state/turn-recording.ts';
import { deciderOf } from '../../../src/bot/strategy/decide.ts';
import { defineStrategy, type InputView, poll, webhook } from '../../../src/index.ts';
import { marketScript, play } from '../../../src/testing.ts';
import { replay } from '../../replay/replayed.ts';
import { START } from '../../unit/embedded/quiet-exchange.ts';
import { RestartStage } from './restart-stage.ts';

/** A strategy that holds the position of its input and records the input in its view. */
function follower(seen: (InputView | undefined)[] = []) {
  return defineStrategy({
    name: 'follower',
    defaults: { market: 'BTCUSDC' },
    inputs: () => ({ news: poll({ url: 'http://news.invalid/', everyMs: 1_000, timeoutMs: 1_000 }), wanted: webhook() }),
    create({ market }, { log }) {
      return (view) => {
        const news = view.input('news');
        if (JSON.stringify(news?.value) !== JSON.stringify(seen.at(-1)?.value) || news?.fresh !== seen.at(-1)?.fresh) seen.push(news);
        const position = view.input('wanted')?.value as number | undefined;
        if (position === undefined) return [];
        log.info('wanted', { position });
        return [view.market(market).target({ position, maxSlippageBps: 5 })];
      };
    },
  });
}

const market = marketScript().price('0s', 60_000).until('20s');

test('a view shows the newest value and its freshness', async () => {
  const seen: (InputView | undefined)[] = [];
  const news = [
    { after: '2s', value: { score: 1 } },
    { after: '4s', value: { score: 2 } },
    { after: '15s', value: { score: 3 } },
  ];
  const { findings, log } = await play(follower(seen), { market, inputs: { news } });
  expect(seen.map((view) => [view?.value, view?.fresh])).toEqual([
    [{ score: 1 }, true],
    [{ score: 2 }, true],
    [{ score: 2 }, false],
    [{ score: 3 }, true],
    [{ score: 3 }, false],
  ]);
  expect(findings.map(({ guard, verdict, reason }) => [guard, verdict, reason]).slice(0, 2)).toEqual([
    ['input news', 'stale', 'no new value for more than 3 s; the newest value is 3 s old'],
    ['input news', 'stale', 'no new value for more than 3 s; the newest value is 3 s old'],
  ]);
  expect(log.map(({ text }) => text)).toEqual(['input news works again; it failed for 8 s']);
});

test('the same values give the same actions', async () => {
  const wanted = [{ after: '3s', value: 0.01 }];
  const [one, other, without] = [
    await play(follower(), { market, inputs: { wanted } }),
    await play(follower(), { market, inputs: { wanted } }),
    await play(follower(), { market }),
  ];
  expect(one.summary.positions).toEqual({ BTCUSDC: '0.0100' });
  expect(other.fingerprint).toBe(one.fingerprint);
  expect(without.fills).toEqual([]);
});

test.each([
  [{ rumours: [] }, 'the strategy has no input "rumours"'],
  [{ news: [{ after: 'soon', value: 1 }] }, 'after: "soon" is not a time'],
])('a test with an unknown input is refused: %#', async (inputs, message) => {
  await expect(play(follower(), { market, inputs })).rejects.toThrow(message);
});

test('an undeclared input name ends the run with a suggestion', async () => {
  const mistaken = {
    ...follower(),
    create: () => (view: Parameters<ReturnType<ReturnType<typeof follower>['create']>>[0]) => [view.input('new') as never],
  };
  await expect(play(mistaken, { market })).rejects.toThrow('there is no input "new"; did you mean "news"?');
});

test('a read value is immutable', async () => {
  const mutating = defineStrategy({
    name: 'vandal',
    defaults: { market: 'BTCUSDC' },
    inputs: () => ({ news: webhook() }),
    create: () => (view) => {
      const value = view.input('news')?.value as { deep: { score: number } } | undefined;
      if (value !== undefined) value.deep.score = 7;
      return [];
    },
  });
  await expect(play(mutating, { market, inputs: { news: [{ after: '1s', value: { deep: { score: 1 } } }] } })).rejects.toThrow(/read only/);
});

test('a replay gives the same turns byte for byte, with inputs, failures and logs', async () => {
  const stage = await new RestartStage(follower(), 60_000).start();
  await stage.seconds(3);
  stage.inputs.next({
    kind: 'inputSeen',
    at: stage.clock.now(),
    asked: stage.clock.now(),
    name: 'wanted',
    value: 0.01,
    signal: { id: 'a' },
  });
  await stage.seconds(2);
  stage.inputs.next({
    kind: 'inputHealth',
    at: stage.clock.now(),
    name: 'news',
    healthy: false,
    reason: 'GET http://news.invalid/ answered 500',
  });
  await stage.seconds(2);
  stage.inputs.next({ kind: 'inputHealth', at: stage.clock.now(), name: 'news', healthy: true, reason: '' });
  await stage.seconds(2);
  expect(stage.position).toBe(0.01);
  expect(stage.lines).toContainEqual(
    expect.objectContaining({
      guard: 'input news',
      verdict: 'stale',
      reason: 'GET http://news.invalid/ answered 500; there is no value yet',
    }),
  );
  const [head = '', ...turns] = stage.recording;
  const header = readHeader(head);
  const strategy = follower();
  const decide = deciderOf(strategy, strategy.defaults, {
    rng: rngFrom(header.seed).fork('strategy'),
    markets: header.markets.map((spec) => new Market(spec)),
  });
  expect([...replay(turns, { header, decide, rules: rulesFrom(header.limits as Record<string, unknown>) })]).toEqual(turns);
  expect(turns.join('\n')).toContain('"logs":[{"level":"info","text":"wanted"');
});

test('a signal survives a crash and a checkpoint, with its time and ids', async () => {
  const stage = await new RestartStage(follower(), 60_000).start();
  await stage.seconds(3);
  for (const id of ['a', 'b'])
    stage.inputs.next({ kind: 'inputSeen', at: stage.clock.now(), asked: START + 1_000, name: 'wanted', value: 0.02, signal: { id } });
  await stage.seconds(4);
  expect(stage.position).toBe(0.02);
  await stage.crash();
  const placed = stage.lines.filter((line) => line.kind === 'order').length;
  await stage.start(checkpointOf);
  await stage.seconds(4);
  expect(stage.position).toBe(0.02);
  expect(stage.lines.filter((line) => line.kind === 'order')).toHaveLength(placed);
  expect(stage.lines.filter((line) => line.kind === 'log').length).toBeGreaterThan(1);
  const kept = stage.entries.findLast((entry) => entry.kind === 'memory' && entry.name === 'signal wanted');
  expect(kept).toMatchObject({ value: { value: 0.02, asked: START + 1_000, ids: ['a', 'b'] } });
});
