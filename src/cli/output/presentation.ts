// How a run is shown here, and where its log goes: JSON where it was asked for, a live view on a terminal, plain lines elsewhere.
import { join } from 'node:path';
import { destination } from 'pino';
import type { Log } from '../../exchange/log.ts';
import type { Host } from '../host.ts';
import { logTo } from '../logs.ts';
import { livePresenter } from '../terminal/live.ts';
import { jsonPresenter } from './json.ts';
import { plainPresenter } from './plain.ts';
import type { Facts, Presenter } from './presenter.ts';

export interface Presentation {
  readonly presenter: Presenter;
  readonly log: Log;
}

export function presentationOf({ facts, json }: { facts: Facts; json: boolean }, host: Host): Presentation {
  const { stdout, stderr, env } = host;
  if (json) return { presenter: jsonPresenter(host, facts), log: logTo(stderr) };
  if (stdout.isTTY !== true || env['TERM'] === 'dumb') return { presenter: plainPresenter(stdout, facts), log: logTo(stderr) };
  return {
    presenter: livePresenter(host, facts),
    log: logTo(destination({ dest: join(facts.state, 'bot.log'), mkdir: true, sync: true })),
  };
}
