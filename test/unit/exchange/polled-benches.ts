// Every exchange with an account, whose lists a test changes, for the rules of polled data that hold for all of them.
import type { Millis } from '../../../src/base/clock.ts';
import type { HttpReply, HttpRequest } from '../../../src/base/transport/transport.ts';
import type { ClientRules } from '../../../src/bot/exchange/kit/venue-client.ts';
import { HOSTED_RULES } from '../../../src/venues/hosted/rules.ts';
import { LOCAL_RULES } from '../../../src/venues/local/rules.ts';
import { inProcessTransport } from '../../in-process.ts';
import { RULES as THIRD_RULES } from '../../third-venue/adapter/client.ts';
import { apiOf } from '../../third-venue/api.ts';
import { accountPage, bookPage, Bench as HostedBench } from '../venues/hosted/bench.ts';
import { TradeList, trade } from '../venues/hosted/trade-list.ts';
import { BOOK, fillPage, Bench as LocalBench, positionPage } from '../venues/local/bench.ts';
import { ThirdBench } from './sending-benches.ts';
import { START, type VenueBench } from './venue-bench.ts';

export interface PolledBench {
  readonly bench: VenueBench;
  readonly rules: ClientRules;
  /** Lists a public trade that was made now. */
  trade(this: void): void;
  /** Lists a trade of ours that was made now. */
  fill(this: void): void;
  changeBook(this: void): void;
  changeAccount(this: void): void;
  /** Whether a list of our trades answers with an error. */
  failFills(this: void, isFailing: boolean): void;
}

/** Functions that connect to each exchange, where nothing changes and every stream has emitted. */
export const POLLED: Readonly<Record<string, () => Promise<PolledBench>>> = {
  async hosted() {
    const bench = new HostedBench();
    const trades = new TradeList(bench);
    const list = bench.exchange.fault;
    const add = (more: object = {}): void => void trades.all.push(trade(trades.all.length + 1, bench.clock.now() - START, more));
    const { pages } = bench.exchange;
    let [book, account] = [1, 1];
    pages.set('/market/0/orderbook', () => bookPage(book));
    pages.set('/account/7', () => accountPage(account));
    await bench.connect();
    await bench.run(100);
    return {
      bench,
      rules: HOSTED_RULES,
      trade: () => add(),
      fill: () => add({ makerId: 7 }),
      changeBook: () => void (book += 1),
      changeAccount: () => void (account += 1),
      failFills(isFailing) {
        const failing = (request: HttpRequest) => (request.path.includes('takerId') ? { reply: { status: 500, body: '' } } : list(request));
        bench.exchange.fault = isFailing ? failing : list;
      },
    };
  },
  async local() {
    const bench = new LocalBench();
    const { pages } = bench.process;
    const now = (): string => new Date(bench.clock.now()).toISOString();
    const trades: object[] = [];
    pages.set('/markets/BTC-PERP/trades', () => trades);
    await bench.connect();
    await bench.run(100);
    return {
      bench,
      rules: LOCAL_RULES,
      trade: () => void trades.unshift({ price: 99.5, side: 'sell', size: 0.01, liquidation: false, time: now() }),
      fill() {
        bench.fills = [fillPage({ time: now() }), ...bench.fills];
      },
      changeBook: () => void pages.set('/markets/BTC-PERP/orderbook', () => ({ ...BOOK, bids: [[99.4, 2]] })),
      changeAccount() {
        bench.positions = [positionPage()];
      },
      failFills(isFailing) {
        bench.process.fault = ({ path }) => (isFailing && path.includes('history') ? { reply: { status: 500, body: '' } } : undefined);
      },
    };
  },
  async third() {
    const bench = new ThirdBench();
    const { clock, exchange } = bench;
    const api = apiOf(exchange);
    const bookRow = { instrument: 'BTC-PERP', sequence: 1, bids: [['60000.00', '1.000']], asks: [['60000.25', '1.000']] };
    const trades: object[] = [];
    const fills: object[] = [];
    let [bids, equity, isFailing] = [bookRow.bids, '1000.000000', false];
    const row = (id: number) => {
      const side = { side: 'buy', price: '60000.25', size: '0.010' };
      return { id: String(id), instrument: 'BTC-PERP', ...side, at: new Date(clock.now()).toISOString() };
    };
    const answer = (request: HttpRequest): unknown => {
      const { pathname, searchParams } = new URL(request.path, 'http://third');
      const before = searchParams.get('before') ?? '';
      if (pathname === '/v1/info' && new TextDecoder().decode(request.body).includes('book')) return { ...bookRow, bids };
      if (pathname.startsWith('/v1/trades/')) return { before, trades: before === '' ? trades : [] };
      if (pathname === '/v1/fills') return { before, fills: before === '' ? fills : [] };
      const margins = { equity, initialMargin: '0.000000', maintenanceMargin: '0.000000' };
      if (pathname === '/v1/account') return { id: 'account-of-bot', ...margins, balances: [], positions: [], orders: [] };
      return undefined;
    };
    const handler = (request: HttpRequest): HttpReply => {
      const value = answer(request);
      if (isFailing && request.path.startsWith('/v1/fills'))
        return { status: 500, contentType: 'application/json', body: new Uint8Array() };
      if (value === undefined) return api(request);
      return { status: 200, contentType: 'application/json', body: new TextEncoder().encode(JSON.stringify(value)) };
    };
    await bench.connect(inProcessTransport({ handler, clock, latencyMs: () => 10 }));
    await bench.run(100);
    return {
      bench,
      rules: THIRD_RULES,
      trade: () => void trades.unshift(row(trades.length + 1)),
      fill: () => void fills.unshift({ ...row(100 + fills.length), orderId: '7', role: 'maker', fee: '0.001', feeAsset: 'USD' }),
      changeBook: () => void (bids = [['59999.75', '1.000']]),
      changeAccount: () => void (equity = '1001.000000'),
      failFills: (failing) => void (isFailing = failing),
    };
  },
};

/** How long after a trade an account or a book that does not change is stuck for sure: it may stay the same for so long after the lists show the trade. */
export const untilStuck = ({ maxUnchangedMs }: ClientRules): Millis => maxUnchangedMs + 2_500;
