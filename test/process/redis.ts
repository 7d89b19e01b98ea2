// A Redis server for a test: on loopback, on a free port, in a temporary folder. It can be killed and started again with its files.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { temporaryFolder } from './sweep-kit.ts';

/** True if redis-server is installed. */
export const hasRedis = (): boolean => spawnSync('redis-server', ['--version']).status === 0;

export class RedisServer {
  readonly url: string;
  readonly #args: readonly string[];
  #process: ChildProcess | undefined;

  private constructor(port: number, settings: readonly string[]) {
    this.url = `redis://127.0.0.1:${port}`;
    this.#args = ['--port', `${port}`, '--bind', '127.0.0.1', '--dir', temporaryFolder(), '--save', '', ...settings];
  }

  /** `settings`: as in redis.conf, for example `--appendonly yes`. */
  static async start(settings: readonly string[] = ['--appendonly', 'yes', '--maxmemory-policy', 'noeviction']): Promise<RedisServer> {
    const server = new RedisServer(await freePort(), settings);
    await server.start();
    return server;
  }

  async start(): Promise<void> {
    const child = spawn('redis-server', [...this.#args], { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#process = child;
    await new Promise<void>((resolve, reject) => {
      child.once('exit', () => reject(new Error('redis-server ended')));
      child.stdout.on('data', (chunk: Buffer) => {
        if (chunk.toString().includes('Ready to accept connections')) resolve();
      });
    });
  }

  /** Settles when the process has ended. */
  async kill(): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, 'exit');
    child.kill('SIGKILL');
    await gone;
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return address.port;
}
