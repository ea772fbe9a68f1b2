import net from 'node:net';
import { getContainerRuntimeClient } from 'testcontainers';

/** Where a server of this machine listens so that containers reach it and, where that can be had, no other host does. */
export interface AddressForContainers {
  readonly listen: string;
  readonly asSeenByContainers: string;
}

/**
 * An engine on this machine has a bridge of its own, whose address, the first of its subnet, is also one of this machine, even
 * while nothing is on the bridge. One in a virtual machine (Docker Desktop) has not; there `host-gateway` leads to the loopback
 * address of the machine around it.
 */
export async function addressForContainers(): Promise<AddressForContainers> {
  const { container } = await getContainerRuntimeClient();
  const { IPAM } = (await container.dockerode.getNetwork('bridge').inspect()) as {
    readonly IPAM: { readonly Config: readonly { readonly Subnet?: string }[] | null };
  };
  const subnet = IPAM.Config?.find(({ Subnet = '' }) => Subnet.includes('.'))?.Subnet ?? '';
  const bridge = subnet.replace(/\d+\/\d+$/, '1');
  if (!(await canListenAt(bridge))) return { listen: '127.0.0.1', asSeenByContainers: 'host-gateway' };
  return { listen: bridge, asSeenByContainers: bridge };
}

async function canListenAt(host: string): Promise<boolean> {
  if (!net.isIPv4(host)) return false;
  const server = net.createServer();
  return new Promise((resolve) => {
    server.once('error', () => {
      resolve(false);
    });
    server.listen(0, host, () => {
      server.close(() => {
        resolve(true);
      });
    });
  });
}
