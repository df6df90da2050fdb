//! Conditioning written in Nickel, evaluated in a child process under limits.
