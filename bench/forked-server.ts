// A server in its own process, so that a bench measures one side alone, or the CPU time of the server. The server calls `answerParent` with its address.
import { fork } from 'node:child_process';
import { once } from 'node:events';

export interface ForkedServer {
  readonly url: string;
  /** The CPU seconds of its process so far, all threads. */
  cpuSeconds(): Promise<number>;
  close(): Promise<void>;
}

/** Starts the server of a file of this folder. */
export async function forkServer(file: string, args: readonly string[]): Promise<ForkedServer> {
  const child = fork(new URL(file, import.meta.url), args);
  const died = once(child, 'exit');
  const [url] = (await Promise.race([once(child, 'message'), died.then(() => ['nowhere: it did not start'])])) as [string];
  return {
    url,
    async cpuSeconds() {
      child.send('cpu');
      const [seconds] = (await once(child, 'message')) as [number];
      return seconds;
    },
    async close() {
      child.kill();
      await died;
    },
  };
}

/** In a server's process: sends the address to the parent, answers each of its messages with the CPU seconds so far, and ends with it. */
export function answerParent(url: string): void {
  process.on('disconnect', () => process.exit());
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send?.((user + system) / 1e6);
  });
  process.send?.(url);
}
