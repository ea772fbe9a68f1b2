/**
 * Writes what an image is made of as CycloneDX: every package that npm installed, Node itself, and for the gateway the libraries of its pages.
 * The same content gives the same file: it has no time and no random number. Runs in the build, where npm has installed:
 * `node sbom.ts <service> <file> [manifest of another package]…`.
 */
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';

interface Component {
  readonly 'bom-ref': string;
  readonly type: string;
  readonly name: string;
  readonly version: string;
  readonly purl: string;
  readonly licenses?: readonly { readonly license: { readonly id: string } }[];
}

interface Bom {
  serialNumber?: string;
  readonly metadata: { timestamp?: string; component: Component };
  components: readonly Component[];
}

const [service, target, ...manifests] = process.argv.slice(2);
if (service === undefined || target === undefined) throw new Error('Say sbom.ts <service> <file> [manifest]…');

const args = ['sbom', '--omit=dev', '--omit=optional', '--sbom-format=cyclonedx', '--sbom-type=application'];
const bom = JSON.parse(execFileSync('npm', args, { encoding: 'utf8', maxBuffer: 2 ** 26 })) as Bom;
delete bom.serialNumber;
delete bom.metadata.timestamp;
bom.metadata.component = { ...bom.metadata.component, name: `tocsin-${service}` };
// Pages have libraries of their own, some of which the service has as well.
const components = [...bom.components.map(named), node(), ...manifests.map(packageOf)];
bom.components = [...new Map(components.map((component) => [component['bom-ref'], component])).values()];
fs.writeFileSync(target, `${JSON.stringify(bom, undefined, 1)}\n`);

/** npm calls the packages of this repository by their folders. */
function named(component: Component): Component {
  return { ...component, name: component['bom-ref'].slice(0, component['bom-ref'].lastIndexOf('@')) };
}

function node(): Component {
  const version = process.versions.node;
  return {
    'bom-ref': `node@${version}`,
    type: 'platform',
    name: 'node',
    version,
    purl: `pkg:generic/node@${version}`,
    licenses: [{ license: { id: 'MIT' } }],
  };
}

function packageOf(manifest: string): Component {
  const { name, version, license } = JSON.parse(fs.readFileSync(manifest, 'utf8')) as Record<
    'name' | 'version' | 'license',
    string
  >;
  return {
    'bom-ref': `${name}@${version}`,
    type: 'library',
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    licenses: [{ license: { id: license } }],
  };
}
