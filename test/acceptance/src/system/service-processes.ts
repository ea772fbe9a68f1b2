import { SERVICES, type ServiceName } from '@tocsin/events';
import { freePort } from '@tocsin/testkit';
import type { Installation } from './installation.ts';
import { ServiceProcess } from './service-process.ts';

/** Processes of all services, not started yet: one of each by default. The first of each is the one that others call. */
export async function processesOf(
  installation: Installation,
  ofEach: (service: ServiceName) => number = () => 1,
): Promise<readonly ServiceProcess[]> {
  const processes: ServiceProcess[] = [];
  for (const name of SERVICES) {
    processes.push(new ServiceProcess(name, installation.environmentOf(name)));
    for (let replica = 1; replica < ofEach(name); replica += 1)
      processes.push(await replicaOf(name, installation, replica));
  }
  return processes;
}

/** One more process of a service, with ports of its own, not started yet. `settings` are beside the usual ones. */
export async function replicaOf(
  name: ServiceName,
  installation: Installation,
  replica: number,
  { settings = {}, logFile }: { settings?: Readonly<Record<string, string>>; logFile?: string } = {},
): Promise<ServiceProcess> {
  const [port, adminPort] = [String(await freePort()), String(await freePort())];
  const own = { PORT: port, ADMIN_PORT: adminPort, INSTANCE: String(replica) };
  return new ServiceProcess(name, { ...installation.environmentOf(name), ...settings, ...own }, logFile);
}
