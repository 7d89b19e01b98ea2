// The exchanges under test of the hosted API: the embedded one as a process, and the foreign one, which checks the suite itself.
import { fileURLToPath } from 'node:url';
import { ForeignClient } from '../foreign/client.ts';
import { startForeignExchange } from '../foreign/exchange.ts';
import type { Numbering } from '../foreign/numbering.ts';
import { addressOf, startExchangeProcess } from './exchange-process.ts';

export interface Target {
  readonly client: ForeignClient;
  stop(): Promise<void>;
}

export interface HostedTargetKind {
  readonly name: string;
  readonly numbering: Numbering;
  readonly start: () => Promise<Target>;
}

const LIVE_SCHEMA = fileURLToPath(new URL('../foreign/live.proto', import.meta.url));

export const HOSTED_TARGETS: readonly HostedTargetKind[] = [
  { name: 'the embedded exchange', numbering: 'document', start: () => embeddedExchange('document') },
  { name: 'the embedded exchange on another schema', numbering: 'live', start: () => embeddedExchange('live', '--schema', LIVE_SCHEMA) },
  { name: 'the foreign exchange', numbering: 'document', start: () => foreignExchange('document') },
  { name: 'the foreign exchange on the live schema', numbering: 'live', start: () => foreignExchange('live') },
];

async function foreignExchange(numbering: Numbering): Promise<Target> {
  const exchange = await startForeignExchange({ numbering });
  return { client: new ForeignClient({ url: exchange.url, numbering }), stop: () => exchange.close() };
}

async function embeddedExchange(numbering: Numbering, ...options: readonly string[]): Promise<Target> {
  const server = await startExchangeProcess({ bot: ['--hosted-port', '0', ...options] });
  return { client: new ForeignClient({ url: addressOf('hosted', server), numbering }), stop: () => server.stop() };
}
