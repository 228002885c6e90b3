import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { createContext, useContext } from 'react';
import type { OperatorAccess } from './operator-access.ts';

export interface Health {
  readonly state: 'well' | 'ill';
  readonly finding: string;
  readonly advice: string | null;
}

export interface Check extends Health {
  readonly check: string;
}

export interface Provider {
  readonly id: string;
  readonly type: string;
  readonly max_concurrent: number;
  readonly submissions_per_minute: number | null;
  readonly health: Health | null;
}

export interface Model {
  readonly id: string;
  readonly title: string;
  readonly kind: string;
  readonly provider: string;
  readonly target: string;
  readonly health: Health | null;
  /** Counts by state. */
  readonly recent: Readonly<Record<string, number>>;
}

interface JobCounts {
  readonly name: string;
  readonly waiting: number;
  readonly running: number;
  readonly delayed: number;
  readonly failing: number;
  readonly oldest_due_at: string | null;
}

export interface Queue extends JobCounts {
  readonly jobs: readonly JobCounts[];
}

export interface Storage {
  readonly store: 'disk' | 'bucket';
  readonly bucket: string | null;
  readonly files: number;
  readonly bytes: number;
  readonly temporary_files: number;
  readonly objects_to_delete: number;
  readonly unfinished_uploads: number;
  readonly last_audit: Audit | null;
}

export interface Audit {
  readonly compared_at: string;
  readonly objects: number;
  readonly without_record: number;
  readonly files: number;
  readonly without_object: number;
  readonly examples: readonly string[];
}

export interface User {
  readonly id: number;
  readonly email: string;
  readonly name: string | null;
  readonly created_at: string;
  readonly workspace: { readonly id: number; readonly plan: string; readonly is_team: boolean };
  readonly role: 'owner' | 'admin' | 'member';
}

export interface Plan {
  readonly id: string;
  readonly monthly_credits: number;
  readonly is_team_plan: boolean;
  readonly is_configured: boolean;
  readonly workspaces: number;
  readonly teams: number;
}

export interface Setting {
  readonly variable: string;
  readonly description: string;
  readonly default: string | null;
  readonly is_set: boolean;
  readonly value: string | null;
}

interface Reads {
  readonly doctor: { readonly checks: readonly Check[] };
  readonly providers: { readonly providers: readonly Provider[]; readonly models: readonly Model[] };
  readonly queues: { readonly queues: readonly Queue[] };
  readonly storage: Storage;
  readonly plans: { readonly plans: readonly Plan[] };
  readonly settings: { readonly settings: readonly Setting[] };
}

/** Milliseconds between two reads while the page is visible. Some ask vendors or count every file; settings stay. */
const PAUSES: Readonly<Record<keyof Reads, number | false>> = {
  queues: 5000,
  doctor: 60_000,
  providers: 60_000,
  storage: 60_000,
  plans: 60_000,
  settings: false,
};

export const OperatorContext = createContext<OperatorAccess | null>(null);

/** Only below `OperatorDesk`. */
function useAccess(): OperatorAccess {
  return useContext(OperatorContext)!;
}

export function useRead<Name extends keyof Reads>(name: Name) {
  const { read } = useAccess();
  return useQuery({
    queryKey: [name],
    queryFn: ({ signal }) => read<Reads[Name]>(name, {}, signal),
    refetchInterval: PAUSES[name],
  });
}

/** Users page by page, newest first. @param q a part of their e-mail */
export function useUsers(q: string) {
  const { read } = useAccess();
  return useInfiniteQuery({
    queryKey: ['users', q],
    queryFn: ({ pageParam, signal }) =>
      read<{ readonly users: readonly User[]; readonly next_cursor: string | null }>(
        'users',
        { limit: 100, ...(q && { q }), ...(pageParam && { cursor: pageParam }) },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: ({ next_cursor }) => next_cursor,
    placeholderData: (before) => before,
  });
}
