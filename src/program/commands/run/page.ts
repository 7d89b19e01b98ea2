// `run --ui`: serves the page of the run, from before it connects to its end.

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { messageOf, UserError } from '../../../base/errors.ts';
import { JSON_LIMITS, readJson } from '../../../base/text/json.ts';
import { type RunHistory, readHistory } from '../../../bot/run/core/history-file.ts';
import type { Host } from '../../host.ts';
import type { PageSources } from '../../monitoring/page/api.ts';
import { type LiveSource, liveSource } from '../../monitoring/page/live.ts';
import { openPage } from '../../monitoring/page/page.ts';
import { pagesFolder, stopBy } from '../ui/link.ts';
import type { MonitoringContext, OpenMonitor } from './monitors.ts';
import type { RunPlan } from './plan.ts';

/** Opens the page and shows its link. Rejects with a `UserError` if the port cannot be used. */
export async function openRunPage(
  { facts: { state: directory, run } }: RunPlan,
  { port, control }: NonNullable<RunPlan['page']>,
  { host, clock, log, presenter }: MonitoringContext,
): Promise<OpenMonitor & { readonly url: string }> {
  let source: LiveSource | undefined;
  const sources: PageSources = {
    open: async () => {
      if (source === undefined)
        throw new UserError({ code: 'run', message: 'the run has not begun yet', hint: 'it waits for the exchange' });
      return source;
    },
  };
  const listed = { folder: pagesFolder(host.env), shows: run, pid: host.pid };
  const page = await openPage({ clock, port, sources, listed, onBug: (thrown) => log.warn(`the page failed: ${messageOf(thrown)}`) });
  presenter.served('ui', page.link);
  const close = async (): Promise<void> => {
    source?.stream.close();
    await page.close();
  };
  return {
    url: page.url,
    begin(watch, extras) {
      const stop = control ? stopBy(directory, clock) : undefined;
      const history = (): RunHistory | undefined => readHistory(directory);
      const live = liveSource({ watch, clock, extras, why: (order) => whyInOtherProcess(order, directory, host), stop, history });
      source = live;
      return { add: (turn) => live.add(turn), ended: () => live.ended(), close };
    },
    close,
  };
}

const WHY_LIMITS = { timeout: 60_000, maxBuffer: 16 * 2 ** 20 } as const;

/** Resolves with the output of `why` for an order, as JSON. Runs it in another process, because reading journal and recordings would delay turns. */
export async function whyInOtherProcess(order: string, directory: string, { self }: Pick<Host, 'self'>): Promise<unknown> {
  if (self === undefined) throw new UserError({ code: 'run', message: 'this program cannot start itself to read the journal' });
  const args = [...self.args, 'why', '--json', '--state', directory, '--', order];
  try {
    const { stdout } = await promisify(execFile)(self.program, args, WHY_LIMITS);
    return readJson(stdout, JSON_LIMITS.state);
  } catch (error) {
    const { stderr } = error as { readonly stderr?: string };
    throw new UserError({ code: 'order', message: (stderr ?? messageOf(error)).trim().replace(/^error: /, '') });
  }
}
