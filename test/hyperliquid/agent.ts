// An agent of an account at the embedded exchange's Hyperliquid API: approved by a signature of the account's own key.
import { writeFileSync } from 'node:fs';
import type { Clock } from '../../src/base/clock.ts';
import type { Handler } from '../../src/base/transport/transport.ts';
import type { HyperliquidKey } from '../../src/venues/hyperliquid/key.ts';
import { approvalDigest } from '../../src/venues/wire/hyperliquid/sign.ts';
import { addressOf, signDigest } from '../../src/venues/wire/hyperliquid/typed-data.ts';

export const MASTER_SECRET = Buffer.alloc(32, 0x11);
export const MASTER = addressOf(MASTER_SECRET);
export const AGENT_SECRET = Buffer.alloc(32, 0x22);
export const AGENT = addressOf(AGENT_SECRET);

/** An address that is not mainnet's, to which nothing is sent. */
export const STAND_IN = 'http://127.0.0.1:1';
export const KEY: HyperliquidKey = { secret: AGENT_SECRET, agent: AGENT, master: MASTER };

/** Returns the body of the request that approves the agent. */
export function approvalBody({ nonce, agentName = 'bot' }: { nonce: number; agentName?: string }) {
  const asked = { signatureChainId: '0x66eee', hyperliquidChain: 'Testnet', agentAddress: AGENT, agentName, nonce };
  return { action: { type: 'approveAgent', ...asked }, nonce, signature: signDigest(approvalDigest(asked), MASTER_SECRET) };
}

/** Writes the key file of the agent. */
export function writeKeyFile(file: string): void {
  writeFileSync(file, `0x${AGENT_SECRET.toString('hex')} ${MASTER}\n`, { mode: 0o600 });
}

/** Sends a POST request to a handler, and returns the JSON of its reply. */
export function post(handler: Handler, path: '/info' | '/exchange', body: unknown): unknown {
  const reply = handler({ method: 'POST', path, contentType: 'application/json', body: Buffer.from(JSON.stringify(body)) });
  return JSON.parse(Buffer.from(reply.body).toString());
}

/** Opens the account, and lets the agent sign for it. */
export function approveAgent(handler: Handler, clock: Clock): void {
  const answer = post(handler, '/exchange', approvalBody({ nonce: clock.now() }));
  if (JSON.stringify(answer) !== '{"status":"ok","response":{"type":"default"}}') throw new Error(JSON.stringify(answer));
}
