// stub
import type { ExitCode, Host } from '../host.ts';
export interface RunFlags { readonly strategy?: string | undefined }
export async function run(_: RunFlags, __: Host): Promise<ExitCode> { return 0; }
