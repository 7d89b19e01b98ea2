// The page of a run of another process, from its recording; and the replay of a recording: both show what the page of the run showed.
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { VirtualClock } from '../../../src/base/clock.ts';
import { nodeDisk } from '../../../src/base/files/node-disk.ts';
import { openRecorder } from '../../../src/bot/run/state/turn-recorder.ts';
import type { PageState } from '../../../src/program/monitoring/page/contract.ts';
import { PageFeed } from '../../../src/program/monitoring/page/feed.ts';
import { followedSource } from '../../../src/program/monitoring/page/followed.ts';
import { replaySource } from '../../../src/program/monitoring/page/replay.ts';
import { turnsIn } from './recorded-turns.ts';
import { watchOf } from './test-page.ts';

const FIXTURE = new URL('../../fixtures/page/turns.jsonl.gz', import.meta.url);
const lines = gunzipSync(readFileSync(FIXTURE)).toString().trimEnd().split('\n');
const recorded = turnsIn(lines);
const { turns } = recorded;
const why = async (): Promise<unknown> => ({});

/** The page of the run's own process after `count` turns, without the parts that depend on the server. */
function shownAfter(count: number): Partial<PageState> {
  const watch = watchOf(recorded.markets);
  const feed = new PageFeed({ watch, emit: () => undefined });
  for (const turn of turns.slice(0, count)) {
    watch.add(turn);
    feed.add(turn);
  }
  return comparable(feed.state({ seq: 0, now: 0, control: false }));
}

const comparable = ({ status, book, orders, held, fills, lines, equity, candles, mode }: PageState): Partial<PageState> =>
  JSON.parse(JSON.stringify({ status, book, orders, held, fills, lines, equity, candles, mode })) as Partial<PageState>;

/** A recording that the test writes, and the source that follows it. */
function startRecording(segmentBytes?: number) {
  const directory = mkdtempSync(join(tmpdir(), 'page-'));
  const clock = new VirtualClock(0);
  const recorder = openRecorder(nodeDisk(directory), {
    name: 'turns-20260105T120000000Z',
    clock,
    ...(segmentBytes !== undefined && { segmentBytes }),
  });
  const life = { alive: true };
  const run = { run: 'grid-test', exchange: 'embedded', directory };
  const source = followedSource({ run, clock, isAlive: () => life.alive, why });
  const write = (from: number, to: number): void => {
    for (const line of lines.slice(from, to)) recorder.record(line);
    recorder.close();
  };
  return { clock, source, write, life, directory };
}

const replayed = (clock = new VirtualClock(0)) =>
  replaySource({ lines, run: { run: 'grid-test', exchange: 'embedded', directory: undefined }, clock, why });
const timeOf = (count: number): number => turns[count - 1]?.at ?? 0;
/** The number of turns up to a time: several may have the same time. */
const countAt = (at: number): number => turns.filter((turn) => turn.at <= at).length;

describe('a run of another process', () => {
  test('is shown as its own process would show it, up to what is recorded', () => {
    const { source, write } = startRecording();
    expect(source.refresh()).toBe(false);
    for (const count of [100, 101, 400]) {
      write(count === 100 ? 0 : count === 101 ? 101 : 102, count + 1);
      expect(source.refresh()).toBe(true);
      expect(comparable(source.state())).toEqual(shownAfter(count));
    }
  });

  test('is read across segments, each of which begins with a header', () => {
    const { source, write } = startRecording(20_000);
    for (let from = 0; from < lines.length; from += 50) {
      write(from, from + 50);
      source.refresh();
    }
    expect(comparable(source.state())).toEqual(shownAfter(turns.length));
  });

  test('has ended on the page when its process has ended', () => {
    const { source, write, life, clock } = startRecording();
    write(0, 200);
    source.refresh();
    life.alive = false;
    clock.advanceTo(10_000);
    source.refresh();
    expect(source.state().ended).toBe(true);
  });
});

describe('a replay', () => {
  test('shows any moment, forward and backward', () => {
    const source = replayed();
    for (const count of [300, 10, 800, 799, 1, turns.length]) {
      source.move?.({ at: timeOf(count) });
      expect([count, comparable(source.state())]).toEqual([count, shownAfter(countAt(timeOf(count)))]);
    }
  });

  test('plays at its own speed or faster, stops at the end, and starts again', () => {
    const clock = new VirtualClock(0);
    const source = replayed(clock);
    const [from, to] = [timeOf(1), timeOf(turns.length)];
    source.move?.({ playing: true });
    clock.advanceTo(5_000);
    expect(source.state().replay).toEqual({ from, to, at: from + 5_000, speed: 1, playing: true });
    source.move?.({ speed: 20 });
    clock.advanceTo(10_000);
    expect(source.state().replay).toMatchObject({ at: to, playing: false });
    expect(comparable(source.state())).toEqual(shownAfter(turns.length));
    source.move?.({ playing: true });
    expect(source.state().replay).toMatchObject({ at: from, playing: true });
    source.move?.({ playing: false });
  });

  test('cannot stop anything', () => {
    expect(replayed().stop).toBeUndefined();
    expect(replayed().state().control).toBe(false);
  });
});
