// The exchanges under test of the local API: the embedded one, and the foreign process as documented, which checks the suite itself.
import { ForeignClient } from '../foreign/client.ts';
import { ForeignLocalClient } from '../foreign/local/client.ts';
import { AS_DOCUMENTED } from '../foreign/local/differences.ts';
import { startForeignProcess } from '../foreign/local/process.ts';
import { addressOf, startExchangeProcess } from './exchange-process.ts';

export interface LocalTarget {
  readonly client: ForeignLocalClient;
  /** Returns the answer of the hosted API of the same exchange. */
  hosted(path: string): Promise<unknown>;
  stop(): Promise<void>;
}

/** Start of the exchange's time in milliseconds, and its speed relative to the wall clock. */
export interface Pace {
  readonly start: number;
  readonly speed: number;
}

export interface LocalTargetKind {
  readonly name: string;
  readonly start: (pace?: Pace) => Promise<LocalTarget>;
}

export const LOCAL_TARGETS: readonly LocalTargetKind[] = [
  { name: 'the embedded exchange', start: embeddedProcess },
  { name: 'the foreign process', start: foreignProcess },
];

async function foreignProcess({ start, speed }: Pace = { start: Date.now(), speed: 1 }): Promise<LocalTarget> {
  const begun = performance.now();
  const now = (): number => Math.floor(start + (performance.now() - begun) * speed);
  const foreign = await startForeignProcess({ differences: AS_DOCUMENTED, now });
  return {
    client: new ForeignLocalClient({ url: foreign.url }),
    hosted: async (path) => foreign.hosted(path),
    stop: () => foreign.close(),
  };
}

async function embeddedProcess(pace?: Pace): Promise<LocalTarget> {
  const bot = ['--hosted-port', '0', '--local-port', '0', '--speed', String(pace?.speed ?? 1)];
  const server = await startExchangeProcess({ node: pace === undefined ? [] : startedAt(pace.start), bot });
  const hosted = new ForeignClient({ url: addressOf('hosted', server), numbering: 'document' });
  return {
    client: new ForeignLocalClient({ url: addressOf('local', server) }),
    hosted: async (path) => (await hosted.get(path)).json,
    stop: () => server.stop(),
  };
}

/** Returns runtime options that make a process start at the time `start`, in milliseconds. */
function startedAt(start: number): readonly string[] {
  const shiftClock = `const now = performance.now.bind(performance);
    const shift = ${start} - performance.timeOrigin - now();
    performance.now = () => now() + shift;`;
  return ['--import', `data:text/javascript,${encodeURIComponent(shiftClock)}`];
}
