import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;

/** Azure's host agent: virtual machines reach it at this address, which no registry marks as special. */
const AZURE_HOST = '168.63.129.16';
const NAT64 = ipaddr.IPv6.parse('64:ff9b::');
const GLOBAL_UNICAST = ipaddr.IPv6.parse('2000::');
const NO_ADDRESSES: ReadonlySet<string> = new Set();

/** Reports whether `address` is a public address of another machine. */
export function isPublicAddress(address: string, ownAddresses = addressesOfThisMachine()): boolean {
  // A zone id names an interface of this machine.
  if (isIP(address) === 0 || address.includes('%')) return false;
  const unfolded = unfold(ipaddr.parse(address));
  return isGlobalUnicast(unfolded) && !ownAddresses.has(unfolded.toString());
}

/** Suffixes of names that only this machine or its network knows. */
const LOCAL_NAMES = /(^|\.)(localhost|local|internal|lan|home\.arpa)$/;

/**
 * Reports whether the host of an http or https URL may be public: neither a private address nor a local name. Resolves
 * nothing.
 *
 * @param url valid
 */
export function isPublicUrl(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[|\]$|\.$/g, '');
  if (isIP(host) !== 0) return isPublicAddress(host, NO_ADDRESSES);
  return host.includes('.') && !LOCAL_NAMES.test(host);
}

function isGlobalUnicast(address: Address): boolean {
  if (address.range() !== 'unicast') return false;
  if (address instanceof ipaddr.IPv6) return address.match(GLOBAL_UNICAST, 3);
  return address.toString() !== AZURE_HOST;
}

/** The IPv4 address in an IPv4-mapped or NAT64 address; any other address unchanged. */
function unfold(address: Address): Address {
  if (address instanceof ipaddr.IPv4) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  if (address.match(NAT64, 96)) return new ipaddr.IPv4(address.toByteArray().slice(12));
  return address;
}

/** The public addresses of this machine count as private: a firewall may protect services that listen on them. */
function addressesOfThisMachine(): ReadonlySet<string> {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
  return new Set(addresses.map(({ address }) => ipaddr.parse(address).toString()));
}
