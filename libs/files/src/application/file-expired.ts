import { DomainError } from '#kernel';

export function fileExpired(): DomainError {
  return new DomainError('file_expired', 'the file was temporary, and its time is over; upload it again');
}
