import { Link } from '@tanstack/react-router';
import { product } from '../places.ts';
import classes from './Navigation.module.css';

export function Brand() {
  return (
    <Link to="/" className={classes.brand}>
      <Mark />
      {product}
    </Link>
  );
}

/** The logo. */
export function Mark({ size = 28 }: { readonly size?: number }) {
  return <img src={`${import.meta.env.BASE_URL}mark.svg`} alt="" width={size} height={size} />;
}
