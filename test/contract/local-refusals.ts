// Requests that the local API must refuse, each with a name of its defect.
import type { Method } from '../foreign/local/client.ts';

export interface BadRequest {
  readonly what: string;
  readonly method: Method;
  readonly path: string;
  /** The body; may be invalid JSON. */
  readonly text?: string;
}

const ORDER = { market: 'BTC-PERP', side: 'buy', type: 'limit', price: 30_000, size: 0.01 };

const get = (what: string, path: string): BadRequest => ({ what, method: 'GET', path });
const remove = (what: string, path: string): BadRequest => ({ what, method: 'DELETE', path });
const post = (what: string, path: string, text: string): BadRequest => ({ what, method: 'POST', path, text });
const order = (what: string, changes: object): BadRequest =>
  post(`an order with ${what}`, '/orders', JSON.stringify({ ...ORDER, ...changes }));

const RESOLUTIONS = ['7', '14', '61', '0', '-60', '1e2', '86401', String(31 * 86_400), 'abc', '', 'NaN', '60.5'];

export const BAD_REQUESTS: readonly BadRequest[] = [
  get('an unknown path', '/nothing/here'),
  post('an unsupported method', '/markets', '{}'),
  get('an unknown market', '/markets/NO-PERP'),
  get('the book of an unknown market', '/markets/NO-PERP/orderbook'),
  get('candles of an unknown market', '/markets/NO-PERP/candles?resolution=60'),
  get('trades of an unknown market', '/markets/NO-PERP/trades?page=1'),
  get('fills in an unknown market', '/orders/history?market=NO-PERP'),
  get('orders in an unknown market', '/orders?market=NO-PERP'),
  get('funding rates of an unknown future', '/funding_rates?future=NO-PERP'),
  get('funding payments of an unknown future', '/funding_payments?future=NO-PERP'),
  get('candles without a resolution', '/markets/BTC-PERP/candles'),
  ...RESOLUTIONS.map((resolution) => get(`candles of ${resolution} seconds`, `/markets/BTC-PERP/candles?resolution=${resolution}`)),
  get('a page that is not a number', '/markets/BTC-PERP/trades?page=first'),
  get('a negative page', '/wallet/transfers?page=-1'),
  get('a depth that is not a number', '/markets/BTC-PERP/orderbook?depth=all'),
  get('a path with a broken escape', '/markets/%E0%A4%A'),
  get('an unknown order', '/orders/987654321'),
  get('an invalid order id', '/orders/%00'),
  remove('a cancel of an unknown order', '/orders/987654321'),
  remove('a cancel of an unknown client id', '/orders/by_client_id/nobody'),
  post('a change of an unknown order', '/orders/987654321/modify', '{"price":30000,"size":0.01}'),
  remove('a position in an unknown market', '/positions/NO-PERP'),
  remove('a market without a position', '/positions/ETH-PERP'),
  post('an order that is not JSON', '/orders', '{"market":'),
  post('an order that is text', '/orders', '"buy"'),
  post('an order that is a list', '/orders', '[]'),
  post('an order that is null', '/orders', 'null'),
  post('an order that is empty', '/orders', '{}'),
  post('an order that is endless', '/orders', `{"market":"BTC-PERP","side":"buy","type":"limit","price":1e999,"size":0.01}`),
  ...Object.keys(ORDER).map((field) => order(`no ${field}`, { [field]: undefined })),
  order('an unknown market', { market: 'NO-PERP' }),
  order('a market that is a number', { market: 0 }),
  order('an unknown side', { side: 'bid' }),
  order('an unknown type', { type: 'stop' }),
  order('a price of zero', { price: 0 }),
  order('a negative price', { price: -1 }),
  order('a price that is text', { price: 'cheap' }),
  order('no price for a limit order', { price: null }),
  order('a size of zero', { size: 0 }),
  order('a negative size', { size: -0.01 }),
  order('a size that is not a number', { size: {} }),
  order('a size beyond all funds', { size: 10_000 }),
  order('a flag that is not a boolean', { postOnly: 'perhaps' }),
  order('a client id that is a list', { clientId: [1] }),
  get('a deposit of nothing', '/wallet/deposits?coin=USDC&size=0'),
  get('a negative deposit', '/wallet/deposits?coin=USDC&size=-5'),
  get('a deposit without a size', '/wallet/deposits?coin=USDC'),
  get('a deposit without a coin', '/wallet/deposits?size=5'),
  get('a deposit of an unknown coin', '/wallet/deposits?coin=NOCOIN&size=5'),
  get('a withdrawal above the balance', '/wallet/withdrawals?coin=USDC&size=900000000'),
  get('a withdrawal of an unknown coin', '/wallet/withdrawals?coin=NOCOIN&size=5'),
  get('a withdrawal that is not a number', '/wallet/withdrawals?coin=USDC&size=lots'),
];
