interface AssetLinkProps {
  to: string;
  name: string;
  /** Beside the name. */
  more?: string | null;
}

/** The link that a row of a table is about. */
export const AssetLink = ({ to, name, more }: AssetLinkProps) => (
  <a class="asset" href={to}>
    <strong>{name}</strong> <span class="quiet">{more}</span>
  </a>
);
