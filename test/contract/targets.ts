// Exchanges that the hosted surface's contract is asked of: ours as a process of its own, and the foreign one as a check of the suite.
import { fileURLToPath } from 'node:url';
import { ForeignClient } from '../foreign/client.ts';
import { startForeignExchange } from '../foreign/exchange.ts';
import type { Numbering } from '../foreign/numbering.ts';
import { addressOf, startOurs } from './our-process.ts';

export interface Target {
  readonly client: ForeignClient;
  stop(): Promise<void>;
}

export interface TargetKind {
  readonly name: string;
  readonly numbering: Numbering;
  readonly start: () => Promise<Target>;
}

const LIVE_SCHEMA = fileURLToPath(new URL('../foreign/live.proto', import.meta.url));

export const TARGETS: readonly TargetKind[] = [
  { name: 'our exchange', numbering: 'document', start: () => ourExchange('document') },
  { name: 'our exchange on another schema', numbering: 'live', start: () => ourExchange('live', '--schema', LIVE_SCHEMA) },
  { name: 'the foreign exchange', numbering: 'document', start: () => foreignExchange('document') },
  { name: 'the foreign exchange on the live schema', numbering: 'live', start: () => foreignExchange('live') },
];

async function foreignExchange(numbering: Numbering): Promise<Target> {
  const exchange = await startForeignExchange({ numbering });
  return { client: new ForeignClient({ url: exchange.url, numbering }), stop: () => exchange.close() };
}

async function ourExchange(numbering: Numbering, ...options: readonly string[]): Promise<Target> {
  const ours = await startOurs({ bot: ['--hosted-port', '0', ...options] });
  return { client: new ForeignClient({ url: addressOf('hosted', ours), numbering }), stop: () => ours.stop() };
}
