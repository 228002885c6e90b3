import { Link } from '@tanstack/react-router';
import { INBOX, type Place } from './navigation.ts';
import { UnreadCount } from './UnreadCount.tsx';
import classes from './Navigation.module.css';

interface PlaceLinkProps {
  readonly place: Place;
  readonly onClick?: () => void;
  readonly className?: string;
}

/** A link to a screen, marked if the screen is open. */
export function PlaceLink({ place, onClick, className = '' }: PlaceLinkProps) {
  const { to, label, icon: Icon } = place;
  return (
    <Link to={to} className={`${classes.place} ${className}`} activeOptions={{ exact: to === '/' }} onClick={onClick}>
      <Icon size={19} strokeWidth={1.9} aria-hidden />
      <span>{label}</span>
      {place === INBOX && <UnreadCount />}
    </Link>
  );
}
