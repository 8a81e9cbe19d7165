/** Returns true if a host name of a URL means this machine; IPv6 in brackets, as `URL` writes it. */
export function isLoopbackHostname(hostname: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}
