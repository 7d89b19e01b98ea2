// `run --ui` and `ui`: the link on standard output, the page of a live run, and its stop button.

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { type RunFlags, run } from '../../../../src/program/commands/run/run.ts';
import { ui } from '../../../../src/program/commands/ui/ui.ts';
import { rememberRun } from '../../../../src/program/known-runs.ts';
import { historyShape, type PageState, type RunRow } from '../../../../src/program/monitoring/page/contract.ts';
import { PATIENCE } from '../../../patience.ts';
import { logIn, OWN, sendRequest } from '../../monitoring/test-page.ts';
import { FakeHost } from '../fake-host.ts';

/** Waits for the line with the link, and logs in. */
async function linked(host: FakeHost): Promise<{ readonly port: number; readonly cookie: string }> {
  const url = await vi.waitFor(() => {
    const line = host.stdout.lines.find((text) => text.includes('"kind":"ui"'));
    return new URL((JSON.parse(line ?? '') as { url: string }).url);
  }, PATIENCE);
  const port = Number(url.port);
  return { port, cookie: await logIn({ port, secret: url.hash.slice(1) }) };
}

describe('a run with --ui and --ui-control', () => {
  test('is shown by its own page and by that of another process, and is stopped from the page', async () => {
    const state = mkdtempSync(join(tmpdir(), 'run-'));
    const flags: RunFlags = {
      strategy: 'grid',
      exchange: 'embedded',
      schema: 'bundled',
      seed: 'x',
      state,
      json: true,
      ui: true,
      uiControl: true,
    };
    const host = new FakeHost();
    const over = run(flags, host);
    const { port, cookie } = await linked(host);
    const headers = { cookie };
    const shown = async (): Promise<PageState> => JSON.parse((await sendRequest(port, '/api/state', { headers })).text) as PageState;
    await vi.waitFor(async () => expect((await shown()).orders.length).toBeGreaterThan(0), PATIENCE);
    expect(await shown()).toMatchObject({ strategy: 'grid', exchange: 'embedded', live: false, mode: 'active', control: true });

    const other = new FakeHost();
    const served = ui(undefined, { state, json: true }, other);
    const followed = await linked(other);
    await vi.waitFor(async () => {
      const { text } = await sendRequest(followed.port, '/api/state', { headers: { cookie: followed.cookie } });
      expect(JSON.parse(text)).toMatchObject({ strategy: 'grid', control: false, delayMs: 2_500 }); // after it has recorded something
    }, PATIENCE);

    const stop = { method: 'POST', headers: { ...OWN, cookie }, body: '{"mode":"kill"}' };
    expect((await sendRequest(port, '/api/stop', stop)).status).toBe(202);
    expect(await over).toBe(1);
    expect(JSON.parse(host.stdout.lines.at(-1) ?? '')).toMatchObject({ kind: 'summary', orders: { openAtExit: 0 }, mode: 'cancel-all' });

    await vi.waitFor(async () => {
      const { text } = await sendRequest(followed.port, '/api/state', { headers: { cookie: followed.cookie } });
      expect(JSON.parse(text)).toMatchObject({ mode: 'cancel-all', replay: { playing: false } }); // the run that was shown gets its replay
    }, PATIENCE);
    const { text: history } = await sendRequest(followed.port, '/api/history', { headers: { cookie: followed.cookie } });
    expect(historyShape.parse(JSON.parse(history)).days.length).toBeGreaterThan(0);
    other.signal('SIGINT');
    expect(await served).toBe(0);

    const replayer = new FakeHost();
    const replayed = ui(undefined, { state, json: true }, replayer);
    const replay = await linked(replayer);
    const end = JSON.parse((await sendRequest(replay.port, '/api/state', { headers: { cookie: replay.cookie } })).text) as PageState;
    expect(end).toMatchObject({ mode: 'cancel-all', orders: [], replay: { playing: false } });
    replayer.signal('SIGINT');
    expect(await replayed).toBe(0);
  });

  test('the list has the runs of this machine, and only those can be opened', async () => {
    const host = new FakeHost();
    const paper = mkdtempSync(join(tmpdir(), 'paper-'));
    const exchange = { kind: 'paper', of: 'local', url: 'http://127.0.0.1:1' };
    const facts = { version: 1, run: 'on-paper', strategy: 'grid', markets: ['BTCUSDC'], exchange, pid: 1, started: '', tickwright: '' };
    writeFileSync(join(paper, 'facts.json'), JSON.stringify(facts));
    rememberRun(paper, host.env);
    const served = ui(undefined, { json: true }, host);
    const { port, cookie } = await linked(host);
    const headers = { cookie };
    const { runs } = JSON.parse((await sendRequest(port, '/api/runs', { headers })).text) as { runs: readonly RunRow[] };
    const stopped = runs.find(({ outcome }) => outcome === 'killed');
    expect(stopped).toMatchObject({ strategy: 'grid', process: 'ended', reason: 'a person pressed stop on the page', money: 'practice' });
    expect(stopped?.identity).toMatch(/^practice, account \d+$/);
    expect(stopped?.state).toMatch(/^\//);
    expect(runs.find(({ run: name }) => name === 'on-paper')).toMatchObject({ exchange: 'local (paper)', money: 'practice' });
    for (const id of ['/etc', '../..', runs[0]?.run ?? '']) {
      const { status, text } = await sendRequest(port, `/api/state?run=${encodeURIComponent(id)}`, { headers });
      expect([id, status, text]).toEqual([id, 404, expect.stringContaining('no such run')]);
    }
    host.signal('SIGINT');
    expect(await served).toBe(0);
  });

  test('--ui-control without --ui is refused', async () => {
    const host = new FakeHost();
    expect(await run({ strategy: 'grid', exchange: 'embedded', schema: 'bundled', uiControl: true }, host)).toBe(2);
    expect(host.stderr.text).toContain('--ui-control needs --ui');
  });
});
