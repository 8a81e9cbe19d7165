import type { Service } from '../service.ts';

export function addCompany(service: Service, seed: number): void {
  void service;
  void seed;
}
