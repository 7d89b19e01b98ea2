// Processes that the local surface's contract is asked of: ours, and the foreign one, as documented, as a check of the suite.
import { ForeignClient } from '../foreign/client.ts';
import { ForeignLocalClient } from '../foreign/local/client.ts';
import { AS_DOCUMENTED } from '../foreign/local/differences.ts';
import { startForeignProcess } from '../foreign/local/process.ts';
import { addressOf, startOurs } from './our-process.ts';

export interface LocalTarget {
  readonly client: ForeignLocalClient;
  /** What the hosted API of the same exchange says at a path. */
  hosted(path: string): Promise<unknown>;
  stop(): Promise<void>;
}

/** When the exchange's time begins, in milliseconds, and how many of its seconds pass in one of ours. */
export interface Pace {
  readonly start: number;
  readonly speed: number;
}

export interface LocalTargetKind {
  readonly name: string;
  readonly start: (pace?: Pace) => Promise<LocalTarget>;
}

export const LOCAL_TARGETS: readonly LocalTargetKind[] = [
  { name: 'our exchange', start: ourProcess },
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

async function ourProcess(pace?: Pace): Promise<LocalTarget> {
  const bot = ['--hosted-port', '0', '--local-port', '0', '--speed', String(pace?.speed ?? 1)];
  const ours = await startOurs({ node: pace === undefined ? [] : beginningAt(pace.start), bot });
  const hosted = new ForeignClient({ url: addressOf('hosted', ours), numbering: 'document' });
  return {
    client: new ForeignLocalClient({ url: addressOf('local', ours) }),
    hosted: async (path) => (await hosted.get(path)).json,
    stop: () => ours.stop(),
  };
}

/** Options with which a process takes this moment, in milliseconds, for the one in which it was started. */
function beginningAt(start: number): readonly string[] {
  const shifted = `const now = performance.now.bind(performance);
    const shift = ${start} - performance.timeOrigin - now();
    performance.now = () => now() + shift;`;
  return ['--import', `data:text/javascript,${encodeURIComponent(shifted)}`];
}
