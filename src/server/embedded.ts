// The embedded exchange, started: it lives on a clock, and answers in this process or on loopback ports, one a surface.
import type { Clock, Millis } from '../base/clock.ts';
import type { Handler } from '../base/transport.ts';
import type { AccountId } from '../domain/ids.ts';
import type { Micros } from '../domain/numbers.ts';
import { Exchange } from '../embedded/exchange.ts';
import { QUOTE, USUAL_FUNDS } from '../embedded/state/listing.ts';
import { ActionCodec } from '../wire/codec.ts';
import type { ActionSchema } from '../wire/schema.ts';
import { newSecretKey, type Signer, signerFrom, toBase58 } from '../wire/signing.ts';
import { drive } from './drive.ts';
import { hostedSurface } from './hosted/surface.ts';
import { type Served, serve } from './http.ts';
import { inEnvelope } from './local/reply.ts';
import { localSurface } from './local/surface.ts';
import type { WriteRefusal } from './reply.ts';

export interface EmbeddedOptions {
  /** Of everything that the other traders do. */
  readonly seed: string;
  /** Exchange time at the beginning. */
  readonly start: Millis;
  readonly clock: Clock;
  /** Simulated seconds a second of the clock. */
  readonly speed: number;
  /** Quote money that a user unknown so far is given; 0 turns it away. */
  readonly faucet: Micros;
  readonly schema: ActionSchema;
  /** Of surface B; 0 is any that is free. Without one it answers in this process only. */
  readonly port?: number | undefined;
  /** Of surface A; 0 is any that is free. Without one there is no local account. */
  readonly localPort?: number | undefined;
  /** Hears of what the server should not have thrown. */
  readonly onBug: (thrown: unknown) => void;
}

export interface Embedded {
  readonly exchange: Exchange;
  /** Surface B. */
  readonly hosted: Handler;
  /** Where surface B is served; undefined without a port. */
  readonly url: string | undefined;
  /** Surface A; this and what follows is undefined without a `localPort`. */
  readonly local: Handler | undefined;
  readonly localUrl: string | undefined;
  readonly localAccount: LocalAccount | undefined;
  /** Stops its time and its servers. */
  readonly close: () => Promise<void>;
}

/** The account that surface A trades on, and its user, who may open sessions for it on surface B. */
export interface LocalAccount {
  readonly id: AccountId;
  readonly user: Signer;
}

/** The other traders are at work for so long before anybody else comes: whoever asks first sees a book, and trades. */
const WARM_UP: Millis = 30_000;

/** Rejects with a `UserError` where a port cannot be had. */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { seed, start, clock, speed, faucet, schema, port, localPort, onBug } = options;
  const exchange = new Exchange({ seed, start: start - WARM_UP });
  exchange.advanceTo(start);
  const { tick, stop } = drive({ exchange, clock, speed });
  const hosted = hostedSurface({ exchange, codec: new ActionCodec(schema), faucet, tick });
  const localAccount = localPort === undefined ? undefined : openLocalAccount(exchange, faucet);
  const local = localAccount && localSurface({ exchange, account: localAccount.id, tick });
  const servers: Served[] = [];
  const close = async (): Promise<void> => {
    stop();
    await Promise.all(servers.map((server) => server.close()));
  };
  const open = async (handler?: Handler, wanted?: number, writeRefusal?: WriteRefusal): Promise<string | undefined> => {
    if (handler === undefined || wanted === undefined) return undefined;
    const server = await serve(handler, { port: wanted, host: '127.0.0.1', onBug, writeRefusal });
    servers.push(server);
    return server.url;
  };
  try {
    const url = await open(hosted, port);
    const localUrl = await open(local, localPort, inEnvelope);
    return { exchange, hosted, url, local, localUrl, localAccount, close };
  } catch (thrown) {
    await close();
    throw thrown;
  }
}

/** Of each base token, for a wallet. */
const BASE_TOKENS = 100;

/** Money to trade with in the account, as much again in the wallet, and base tokens that could be deposited as collateral or sold. */
function openLocalAccount(exchange: Exchange, faucet: Micros): LocalAccount {
  const user = signerFrom(newSecretKey());
  const account = exchange.openAccount(toBase58(user.publicKey));
  const funds = { account, token: QUOTE, amount: faucet > 0 ? faucet : USUAL_FUNDS };
  exchange.wallets.endow({ ...funds, amount: 2 * funds.amount });
  exchange.wallets.deposit(funds);
  for (const market of exchange.markets.filter(({ spec }) => spec.kind === 'spot')) {
    exchange.wallets.endow({ account, token: market.spec.baseTokenId, amount: market.lots(BASE_TOKENS) });
  }
  return { id: account, user };
}
