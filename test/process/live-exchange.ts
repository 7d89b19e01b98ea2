// An exchange as a process, and users of it: each has a key file, a state directory, and bots that trade for it.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, type TestContext } from 'vitest';
import { httpTransport } from '../../src/base/transport/http.ts';
import { type HostedClient, hostedClient } from '../../src/venues/client/hosted.ts';
import type { AccountReply } from '../../src/venues/wire/json/hosted-account.ts';
import { keyNamed } from '../foreign/keys.ts';
import { PATIENCE_MS } from '../patience.ts';
import { type Child, startChild } from './children.ts';

/** An unanswered order can no longer be accepted after a minute of exchange time, which is 7 s at this speed. */
const SPEED = '9';

export interface Place {
  readonly state: string;
  readonly folder: string;
  /** Starts a bot of this user. `more` arguments follow those of the exchange. The bot is killed after the test. */
  readonly start: (command: readonly string[], more?: readonly string[]) => Child;
  /** The user's orders that rest at the exchange. */
  readonly orders: () => Promise<AccountReply['orders']>;
  readonly resting: () => Promise<number>;
}

export interface LiveExchange {
  readonly url: string;
  /** A user with this name. `url`: the address through which its bots reach the exchange, for example a proxy. */
  place(name: string, context: Pick<TestContext, 'onTestFinished'>, url?: string): Place;
}

/** Starts an exchange before the tests of the file, and kills it after them. */
export function liveExchange(seed: string): LiveExchange {
  let child: Child;
  let client: HostedClient;
  let url = '';
  beforeAll(async () => {
    child = startChild(['exchange', '--json', '--hosted-port', '0', '--seed', seed, '--speed', SPEED]);
    url = String((await child.printed('ready'))?.['hosted']);
    client = hostedClient({ transport: httpTransport({ origin: url, connections: 4 }), timeouts: { readMs: PATIENCE_MS } });
  });
  afterAll(() => child.signal('SIGKILL'));
  return {
    get url() {
      return url;
    },
    place(name, { onTestFinished }, at = url) {
      const folder = mkdtempSync(join(tmpdir(), 'process-'));
      const [key, state, user] = [join(folder, 'key.json'), join(folder, 'state'), keyNamed(name)];
      writeFileSync(key, JSON.stringify(user.keyFile), { mode: 0o600 });
      const where = ['--exchange', 'hosted', '--url', at, '--key', key, '--state', state, '--live', '--seed', name, '--json'];
      const children: Child[] = [];
      onTestFinished(async () => {
        for (const each of children) await each.signal('SIGKILL');
        rmSync(folder, { recursive: true, force: true });
      });
      const orders = async (): Promise<AccountReply['orders']> =>
        (await client.account((await client.user(user.base58)).accountIds[0] ?? 0)).orders;
      return {
        state,
        folder,
        start(command, more = []) {
          const bot = startChild([...command, ...where, ...more]);
          children.push(bot);
          return bot;
        },
        orders,
        resting: async () => (await orders()).length,
      };
    },
  };
}
