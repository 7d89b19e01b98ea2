// The command line of `bot new`.
import type { Command } from 'commander';
import type { SetExitCode } from '../../exit-codes.ts';
import type { Host } from '../../host.ts';

export function addNew(program: Command, host: Host, setExitCode: SetExitCode): void {
  program
    .command('new')
    .description('create a project with a strategy, its configuration and its test, ready to run')
    .argument('<name>', 'the folder to create; its name becomes the name of the project and of the strategy')
    .action((name: string) => setExitCode(import('./new.ts').then(({ newProject }) => newProject(name, host))));
}
