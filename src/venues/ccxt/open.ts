// Opens the public data of an exchange that ccxt knows, for a paper run and for `doctor`.
import { systemClock } from '../../base/clock.ts';
import { assert, UserError } from '../../base/errors.ts';
import { ClientError } from '../../base/transport/client-error.ts';
import { transportsByOrigin } from '../../base/transport/http.ts';
import { connectPublicFeed, retriesFor } from '../../bot/exchange/kit/connect-feed.ts';
import type { PublicFeed } from '../../bot/exchange/port.ts';
import type { PublicFeedOptions } from '../kind/venue-kind.ts';
import { type DoctorCheck, failed } from '../operate/check.ts';
import { CcxtAnswers, hintFor } from './answers.ts';
import { look, qualityOf } from './first-look.ts';
import { type Ccxt, type CcxtExchange, exchangeNamed, loadCcxt, redirect } from './library.ts';
import { sendOver } from './network.ts';
import { ccxtClient } from './public-client.ts';

/** Returns the address of an exchange: the first of its API. Throws a UserError if ccxt is missing, or does not know the exchange. */
export async function addressOf(name: string, load: () => Promise<Ccxt> = loadCcxt): Promise<string> {
  return originOf(exchangeNamed(await load(), name));
}

function originOf(exchange: CcxtExchange): string {
  const first = firstText(exchange.urls.api);
  assert(first !== undefined, `ccxt knows no address of ${exchange.id}`);
  return new URL(exchange.implodeHostname?.(first) ?? first).origin;
}

function firstText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const inner of Object.values(value)) {
    const found = firstText(inner);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** All requests go to `url` if it is another address than the exchange's own. Rejects as `connectPublicFeed` does. */
export async function connectCcxtFeed(name: string, options: PublicFeedOptions, load: () => Promise<Ccxt> = loadCcxt): Promise<PublicFeed> {
  const ccxt = await load();
  const exchange = withTransport(exchangeNamed(ccxt, name), options);
  const answers = new CcxtAnswers(ccxt, exchange);
  const retry = retriesFor({ name: `ccxt:${name}`, hintFor }, options);
  const markets = await answers.throttled(() => look(answers, { names: options.markets, retry }));
  const feed = await connectPublicFeed(ccxtClient({ answers, clock: options.clock, markets }), { ...options, retry });
  assert(feed.polls !== undefined, 'a public feed polls');
  return { ...feed, quality: `ccxt:${name} by ccxt ${ccxt.version}, ${qualityOf(markets, feed.polls.intervals)}` };
}

function withTransport(
  exchange: CcxtExchange,
  { url, transport, transportTo }: Pick<PublicFeedOptions, 'url' | 'transport' | 'transportTo'>,
): CcxtExchange {
  const { origin } = new URL(url);
  if (origin !== originOf(exchange)) redirect(exchange, origin);
  sendOver(exchange, (to) => (to === origin ? transport : transportTo(to)));
  return exchange;
}

const noAnswer = (name: string, error: ClientError): UserError =>
  new UserError({ code: 'exchange', message: `${name} does not answer: ${error.message}`, hint: hintFor(error) });

/** The checks of `doctor`: the library, and whether the exchange lists its markets. */
export async function ccxtChecks(name: string, url: string): Promise<readonly DoctorCheck[]> {
  const transports = transportsByOrigin(1);
  const checks: DoctorCheck[] = [];
  try {
    const ccxt = await loadCcxt();
    checks.push({ check: 'library', verdict: 'ok', says: `ccxt ${ccxt.version} is installed` });
    const exchange = withTransport(exchangeNamed(ccxt, name), { url, transport: transports.to(url), transportTo: transports.to });
    const started = systemClock.now();
    const count = Object.keys(await new CcxtAnswers(ccxt, exchange).markets()).length;
    checks.push({
      check: 'exchange',
      verdict: 'ok',
      says: `${url} lists ${count} markets, after ${Math.round(systemClock.now() - started)} ms`,
    });
  } catch (error) {
    checks.push(failed(checks.length === 0 ? 'library' : 'exchange', error instanceof ClientError ? noAnswer(name, error) : error));
  } finally {
    await transports.close();
  }
  return checks;
}
