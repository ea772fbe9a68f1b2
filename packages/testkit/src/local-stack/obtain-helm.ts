import { tried, type Say } from './downloads.ts';
import { installGoProgram } from './obtain-go.ts';

/** The release that tests charts, where this machine has none of the same major version. */
const HELM_RELEASE = '3.20.0';
const KUBECONFORM_RELEASE = '0.7.0';

/**
 * Gives Helm 3: that of this machine, otherwise one that Go builds once and that is kept in `dir`.
 *
 * @throws MissingPartError when there is none and Go is missing or cannot fetch its modules.
 */
export async function obtainHelm(dir: string, say: Say): Promise<string> {
  const found = await tried('helm', ['version', '--template', '{{.Version}}']);
  if (found?.startsWith('v3.')) return 'helm';
  return installGoProgram(dir, { module: 'helm.sh/helm/v3', command: 'cmd/helm', version: HELM_RELEASE }, say);
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
