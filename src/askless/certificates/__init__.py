"""What a promise needs: where it stands, its certificate, and the policy that asks for it."""
