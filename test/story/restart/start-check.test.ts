// A start on an account with unknown orders: lost state, an older copy, the state of another run or account. Nothing is sent.

import { describe, expect, test } from 'vitest';
import { walletOf } from '../../../src/base/keys/key.ts';
import { newSecretKey } from '../../../src/base/wire/ed25519.ts';
import { MemoryDisk } from '../../unit/journal/memory-disk.ts';

import { refusal, type StartOptions, stage, startChecks } from './start-checks.ts';

startChecks('hosted');

test('with a lost state the start is refused although accounts lack their orders for nearly two seconds', async () => {
  const { start, pass, changes, emptyFor, resting } = await stage('hosted');
  const first = await start({ disk: new MemoryDisk() });
  await pass(20);
  await first.die();
  const left = resting();
  const before = changes();
  emptyFor(1_900);
  const { code, message } = await refusal(start({ disk: new MemoryDisk() }));
  expect([code, changes()]).toEqual(['foreign', before]);
  expect(message).toContain(`${left.length} orders rest in the markets of this run that its state does not know`);
});

test('a journal of another key is refused, before a session is opened', async () => {
  const { start, changes } = await stage('hosted');
  const disk = new MemoryDisk();
  await (await start({ disk })).die();
  const wallet = walletOf(newSecretKey());
  await (await start({ disk: new MemoryDisk(), wallet })).die();
  const before = changes();
  const { code, message } = await refusal(start({ disk, wallet }));
  expect([code, message]).toEqual([
    'state',
    expect.stringMatching(/^the journal belongs to account \d+ of the key .*, and this run trades/),
  ]);
  expect(changes()).toBe(before);
});

test('a journal of another kind of exchange is refused', async () => {
  const disk = new MemoryDisk();
  await (await (await stage('hosted')).start({ disk })).die();
  const { code } = await refusal((await stage('local')).start({ disk }));
  expect(code).toBe('state');
});

test('an order with an id of this run that appears later raises an alarm and switches the run to close-only', async () => {
  const { start, pass } = await stage('hosted');
  const disk = new MemoryDisk();
  await (await start({ disk })).die();
  const copy = disk.copy();
  const copied = await start({ disk: copy });
  const alarms: string[] = [];
  copied.trading.lines.subscribe((line) => line.kind === 'alarm' && alarms.push(line.reason));
  await pass(5);
  const twin = await start({ disk, foreign: 'ignore' }); // the same state on another machine
  await pass(20);
  expect(alarms).toContainEqual(expect.stringContaining("has this run's own client order id"));
  expect(copied.trading.run.world.mode).toBe('close-only');
  await twin.die();
  await copied.die();
});

describe('client order ids', () => {
  test('are not reused by an older copy of the state that starts after the machine clock was set back', async () => {
    const { start, pass } = await stage('hosted');
    const disk = new MemoryDisk();
    await (await start({ disk, ahead: 5_000_000 })).die();
    const copy = disk.copy();
    const idsOf = async (options: StartOptions): Promise<readonly number[]> => {
      const process = await start(options);
      const ids: number[] = [];
      process.trading.lines.subscribe((line) => line.kind === 'order' && line.status === 'placed' && ids.push(Number(line.clientOrderId)));
      await pass(5);
      await process.die();
      return ids;
    };
    const lost = await idsOf({ disk, ahead: 5_000_000 });
    const restored = await idsOf({ disk: copy, foreign: 'ignore' });
    expect(lost.length).toBeGreaterThan(3);
    expect(restored.length).toBeGreaterThan(3);
    expect(restored.filter((id) => lost.includes(id))).toEqual([]);
  });
});
