// The strategy files that jobs of a queue may name: those below one folder of the worker.
import { realpathSync } from 'node:fs';
import { isAbsolute, relative, resolve, sep } from 'node:path';
import { UserError } from '../../../../base/errors.ts';
import { isStrategyPath } from '../../../../bot/strategy/loading/loader.ts';

/**
 * Returns the strategy's name, or the real path of its file. Throws a UserError `job` for a file that is missing, or that is not below the folder once
 * symbolic links are followed. Packages and hidden folders in it do not count as its own.
 */
export function strategyBelow(folder: string, named: string): string {
  if (!isStrategyPath(named)) return named;
  if (named.split(/[/\\]/).includes('..')) throw refused(named, 'its path contains ".."');
  const root = realPathOf(folder);
  const file = realPathOf(resolve(folder, named));
  if (root === undefined || file === undefined) throw refused(named, `there is no such file below ${folder}`);
  const below = relative(root, file);
  const parts = below.split(sep);
  if (below === '' || isAbsolute(below) || parts[0] === '..')
    throw refused(named, `it is not below ${folder}, the folder of this worker's strategies`);
  if (parts.some((part) => part === 'node_modules' || part.startsWith('.'))) throw refused(named, 'it is in a package or a hidden folder');
  return file;
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

const refused = (named: string, reason: string): UserError =>
  new UserError({
    code: 'job',
    message: `the strategy ${named} is refused: ${reason}`,
    hint: 'put it below the folder that --strategies names',
  });
