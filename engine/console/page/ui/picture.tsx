import { useEffect, useState } from "preact/hooks";
import { Empty, Progress, useLoad } from "./load.tsx";

type PictureProps = { name: string; load: (signal: AbortSignal) => Promise<Blob> };

/** A picture of the engine, which the page may show by an address of its own alone. */
export function Picture({ name, load }: PictureProps) {
  const picture = useLoad(name, load);
  const [address, setAddress] = useState<string>();
  useEffect(() => {
    if (!picture.value) return;
    const made = URL.createObjectURL(picture.value);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [picture.value]);
  if (picture.error) return <NoPreview error={picture.error} />;
  if (!address) return <Progress label="Loading image" />;
  return <img src={address} alt={name} />;
}

/** Why a file is not shown. */
export function NoPreview({ error }: { error: Error }) {
  return (
    <Empty title="No preview">
      <p>{error.message}</p>
    </Empty>
  );
}
